<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>CanvasOverlay</name>
    <message>
        <source>No measurements yet: run a profile</source>
        <translation>Noch keine Messung: ein Profil aufnehmen</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
</context>
<context>
    <name>ChangeModel</name>
    <message numerus="yes">
        <source>%n node(s) removed</source>
        <translation>
            <numerusform>%n Knoten entfernt</numerusform>
            <numerusform>%n Knoten entfernt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) became %1</source>
        <translation>
            <numerusform>aus %n Knoten wurden %1</numerusform>
            <numerusform>aus %n Knoten wurden %1</numerusform>
        </translation>
    </message>
    <message>
        <source> in %1</source>
        <translation> in %1</translation>
    </message>
    <message>
        <source> (a session does this to its own copy; no file holds it)</source>
        <translation> (das macht eine Sitzung an ihrer eigenen Kopie; in keiner Datei steht es)</translation>
    </message>
</context>
<context>
    <name>ChannelBlock</name>
    <message>
        <source>Blocks of channels</source>
        <translation>Blöcke von Kanälen</translation>
    </message>
    <message>
        <source>For which CPU was %1 saved?</source>
        <translation>Für welchen Prozessor wurde %1 gespeichert?</translation>
    </message>
    <message>
        <source>Its channels lie in blocks of 8 or of 16, the file does not say which, and with the wrong one its results are wrong.</source>
        <translation>Seine Kanäle liegen in Blöcken von 8 oder 16, die Datei sagt nicht welche, und mit den falschen sind die Ergebnisse falsch.</translation>
    </message>
    <message>
        <source>16: AVX-512 or 64-bit ARM</source>
        <translation>16: AVX-512 oder 64-Bit-ARM</translation>
    </message>
    <message>
        <source>8: any other</source>
        <translation>8: jeder andere</translation>
    </message>
</context>
<context>
    <name>Columns</name>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>From A to B</source>
        <translation>Von A nach B</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Calls in A</source>
        <translation>Aufrufe in A</translation>
    </message>
    <message>
        <source>Calls in B</source>
        <translation>Aufrufe in B</translation>
    </message>
    <message>
        <source>Original node</source>
        <translation>Ursprünglicher Knoten</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>In A</source>
        <translation>In A</translation>
    </message>
    <message>
        <source>In B</source>
        <translation>In B</translation>
    </message>
    <message>
        <source>Nodes in A</source>
        <translation>Knoten in A</translation>
    </message>
    <message>
        <source>Nodes in B</source>
        <translation>Knoten in B</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Largest difference</source>
        <translation>Größter Unterschied</translation>
    </message>
    <message>
        <source>Of the largest magnitude</source>
        <translation>Vom größten Betrag</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>Runde</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>Domäne</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>In</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Max. |Δ|</source>
        <translation>Max. |Δ|</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>Differing</source>
        <translation>Abweichende</translation>
    </message>
    <message>
        <source>Why not</source>
        <translation>Warum nicht</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Short of</source>
        <translation>Es fehlt</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>Schnellster</translation>
    </message>
    <message>
        <source>Slowest</source>
        <translation>Langsamster</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formen</translation>
    </message>
    <message>
        <source>Shared among</source>
        <translation>Geteilt durch</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>Minimum</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>Std. dev.</source>
        <translation>Std.-Abw.</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>Unendlich</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>Erste Werte</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Began at</source>
        <translation>Begann bei</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>Erster Schritt</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>Letzter Schritt</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Written by</source>
        <translation>Geschrieben von</translation>
    </message>
    <message>
        <source>Kept alive until</source>
        <translation>Lebt noch für</translation>
    </message>
    <message>
        <source>In the bytes of</source>
        <translation>In den Bytes von</translation>
    </message>
    <message>
        <source>Steps to go</source>
        <translation>Restschritte</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Inter-op</source>
        <translation>Inter-op</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>Ausführung</translation>
    </message>
    <message>
        <source>Spinning</source>
        <translation>Aktives Warten</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU-Zeit</translation>
    </message>
    <message>
        <source>Inferences/s</source>
        <translation>Inferenzen/s</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>Anmerkungen</translation>
    </message>
    <message>
        <source>By threads</source>
        <translation>Nach Threads</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Stops at</source>
        <translation>Endet bei</translation>
    </message>
    <message>
        <source>Of peak</source>
        <translation>Von Spitze</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>Namensraum</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Expected gain</source>
        <translation>Erwarteter Gewinn</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Of the largest</source>
        <translation>Vom Größten</translation>
    </message>
    <message>
        <source>Keep float</source>
        <translation>Gleitkomma behalten</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Flips</source>
        <translation>Umgekippt</translation>
    </message>
    <message>
        <source>Size in the file</source>
        <translation>Größe in der Datei</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>Rezept</translation>
    </message>
    <message>
        <source>Against float</source>
        <translation>Gegen Gleitkomma</translation>
    </message>
    <message>
        <source>Alone</source>
        <translation>Allein</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Needed there by</source>
        <translation>Dort gebraucht von</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>Läuft auf</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>Gesehen</translation>
    </message>
    <message>
        <source>Quantized</source>
        <translation>Quantisiert</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Beyond</source>
        <translation>Jenseits</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Bezeichnung</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Aufgezeichnet</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Part of the model</source>
        <translation>Teil des Modells</translation>
    </message>
    <message>
        <source>Callers</source>
        <translation>Aufrufer</translation>
    </message>
    <message>
        <source>Alone, per second</source>
        <translation>Einzeln, je Sekunde</translation>
    </message>
    <message>
        <source>Alone, median</source>
        <translation>Einzeln, Median</translation>
    </message>
    <message>
        <source>Alone, 99 %</source>
        <translation>Einzeln, 99 %</translation>
    </message>
    <message>
        <source>Grouped, per second</source>
        <translation>Gruppiert, je Sekunde</translation>
    </message>
    <message>
        <source>Grouped, median</source>
        <translation>Gruppiert, Median</translation>
    </message>
    <message>
        <source>Grouped, 99 %</source>
        <translation>Gruppiert, 99 %</translation>
    </message>
    <message>
        <source>Rows per run</source>
        <translation>Zeilen je Lauf</translation>
    </message>
    <message>
        <source>Activations held</source>
        <translation>Aktivierungen gehalten</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>Stellen</translation>
    </message>
    <message>
        <source>Of the time</source>
        <translation>Anteil an der Zeit</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erster Token</translation>
    </message>
    <message>
        <source>Per token</source>
        <translation>Je Token</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Tokens/s</translation>
    </message>
    <message>
        <source>Changed tokens</source>
        <translation>Geänderte Tokens</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL-Divergenz</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größte</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>Caches</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>Tokens/s at 128</source>
        <translation>Token/s bei 128</translation>
    </message>
    <message>
        <source>Tokens/s at 1,024</source>
        <translation>Token/s bei 1.024</translation>
    </message>
    <message>
        <source>Roof reached at %1</source>
        <translation>Vom Dach bei %1</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>Perplexity, +-</source>
        <translation>Perplexität, +-</translation>
    </message>
    <message>
        <source>Rounding explains</source>
        <translation>Rundung erklärt</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Was verschieden ist</translation>
    </message>
    <message>
        <source>Answers changed</source>
        <translation>Geänderte Antworten</translation>
    </message>
    <message>
        <source>First token at %1</source>
        <translation>Erster Token bei %1</translation>
    </message>
    <message>
        <source>KL (nats)</source>
        <translation>KL (Nats)</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Own type</source>
        <translation>Eigener Typ</translation>
    </message>
</context>
<context>
    <name>ComparisonReport</name>
    <message>
        <source>%1: %2 against %3</source>
        <translation>%1: %2 gegen %3</translation>
    </message>
</context>
<context>
    <name>ComputePrice</name>
    <message>
        <source>no answer changed</source>
        <translation>keine Antwort geändert</translation>
    </message>
    <message>
        <source>%1 of %2 answers changed</source>
        <translation>%1 von %2 Antworten geändert</translation>
    </message>
    <message>
        <source>%1 × as fast</source>
        <translation>%1-mal so schnell</translation>
    </message>
    <message>
        <source>the outputs are equal</source>
        <translation>die Ausgaben sind gleich</translation>
    </message>
    <message>
        <source>SQNR %1</source>
        <translation>SQNR %1</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>%1: no weight is large enough; nothing is computed differently.</source>
        <translation>%1: kein Gewicht ist groß genug; nichts wird anders berechnet.</translation>
    </message>
</context>
<context>
    <name>ContextMemory</name>
    <message>
        <source>At %1 tokens of context: weights %2 + activations %3 = %4. There are no caches: the whole context is computed again for each token.</source>
        <translation>Bei %1 Token Kontext: Gewichte %2 + Aktivierungen %3 = %4. Es gibt keine Caches: Für jedes Token wird der ganze Kontext neu berechnet.</translation>
    </message>
    <message>
        <source>At %1 tokens of context: weights %2 + caches %3 + activations %4 = %5.</source>
        <translation>Bei %1 Token Kontext: Gewichte %2 + Caches %3 + Aktivierungen %4 = %5.</translation>
    </message>
    <message>
        <source>Not counted, but part of the process: the program itself, the graph and its plan, packed copies of weights, inputs.</source>
        <translation>Nicht mitgezählt, aber Teil des Prozesses: das Programm selbst, der Graph und sein Plan, gepackte Kopien der Gewichte, Eingaben.</translation>
    </message>
    <message>
        <source>weights + caches + activations</source>
        <translation>Gewichte + Caches + Aktivierungen</translation>
    </message>
    <message>
        <source>weights + activations</source>
        <translation>Gewichte + Aktivierungen</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
</context>
<context>
    <name>Conversion</name>
    <message>
        <source>%1 %2 goes</source>
        <translation>%1 %2 entfällt</translation>
    </message>
    <message>
        <source>%1 %2: %3 becomes %4</source>
        <translation>%1 %2: %3 wird %4</translation>
    </message>
    <message>
        <source>its dimensions are fixed</source>
        <translation>seine Dimensionen sind festgelegt</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>nothing that is kept reads it</source>
        <translation>nichts, was bleibt, liest sie</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>it is not among those to keep</source>
        <translation>sie gehört nicht zu den behaltenen</translation>
    </message>
    <message>
        <source>weights of at least %1 lie beside the model</source>
        <translation>Gewichte ab %1 liegen neben dem Modell</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Opset %1 becomes %2</source>
        <translation>Opset %1 wird %2</translation>
    </message>
    <message>
        <source>nodes that change on the way: %1</source>
        <translation>Knoten, die sich dabei ändern: %1</translation>
    </message>
    <message>
        <source>no output that is kept needs them</source>
        <translation>keine behaltene Ausgabe braucht sie</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>durch %1</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Weights that go into a file beside the model: %1 (%2); %3 stay in it</source>
        <translation>Gewichte, die in eine Datei neben dem Modell kommen: %1 (%2); %3 bleiben darin</translation>
    </message>
    <message>
        <source>Nodes that go: %1</source>
        <translation>Knoten, die entfallen: %1</translation>
    </message>
</context>
<context>
    <name>CoreWords</name>
    <message>
        <source>any ONNX implementation of opset %1</source>
        <translation>jede ONNX-Implementierung mit Opset %1</translation>
    </message>
    <message>
        <source>ONNX Runtime on any platform</source>
        <translation>ONNX Runtime auf jeder Plattform</translation>
    </message>
    <message>
        <source>ONNX Runtime %1 or newer on any platform</source>
        <translation>ONNX Runtime %1 oder neuer auf jeder Plattform</translation>
    </message>
    <message>
        <source>a program that was given the operators of %1</source>
        <translation>ein Programm, das die Operatoren von %1 hat</translation>
    </message>
    <message>
        <source>ONNX Runtime on a CPU of the vector width that its channels are laid out for</source>
        <translation>ONNX Runtime auf einer CPU mit der Vektorbreite, für die seine Kanäle angeordnet sind</translation>
    </message>
    <message>
        <source>ONNX Runtime on a CPU that lays channels out in blocks of %1, as %2 does</source>
        <translation>ONNX Runtime auf einer CPU, die Kanäle in Blöcken zu %1 anordnet, wie %2</translation>
    </message>
    <message>
        <source>ONNX Runtime on a CPU that lays channels out in blocks of %1</source>
        <translation>ONNX Runtime auf einer CPU, die Kanäle in Blöcken zu %1 anordnet</translation>
    </message>
    <message>
        <source>Nothing was measured.</source>
        <translation>Nichts wurde gemessen.</translation>
    </message>
    <message>
        <source>No setting stays under %1 ms; the nearest is %2 with %3.</source>
        <translation>Keine Einstellung bleibt unter %1 ms; am nächsten kommt %2 mit %3.</translation>
    </message>
    <message>
        <source>No recommendation: the fastest, %1, is known only as %2 ±%3 %, and what differs by less is noise. Close other programs, or measure each setting for longer.</source>
        <translation>Keine Empfehlung: Die schnellste, %1, ist nur als %2 ±%3 % bekannt, und kleinere Unterschiede sind Rauschen. Andere Programme schließen oder jede Einstellung länger messen.</translation>
    </message>
    <message>
        <source>the number of threads makes no difference beyond noise</source>
        <translation>die Zahl der Threads macht keinen Unterschied über das Rauschen hinaus</translation>
    </message>
    <message>
        <source>the execution mode makes no difference beyond noise</source>
        <translation>die Ausführungsart macht keinen Unterschied über das Rauschen hinaus</translation>
    </message>
    <message>
        <source>spinning makes no difference beyond noise</source>
        <translation>Spinning macht keinen Unterschied über das Rauschen hinaus</translation>
    </message>
    <message>
        <source>the batch size makes no difference beyond noise</source>
        <translation>die Batchgröße macht keinen Unterschied über das Rauschen hinaus</translation>
    </message>
    <message>
        <source>the level makes no difference beyond noise</source>
        <translation>die Stufe macht keinen Unterschied über das Rauschen hinaus</translation>
    </message>
    <message>
        <source>%1 times as fast as </source>
        <translation>%1-mal so schnell wie </translation>
    </message>
    <message>
        <source>%1 inferences per second</source>
        <translation>%1 Inferenzen je Sekunde</translation>
    </message>
    <message>
        <source>no slower beyond noise: </source>
        <translation>nicht messbar langsamer: </translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> und %1 weitere</translation>
    </message>
    <message>
        <source>a thread per core</source>
        <translation>ein Thread je Kern</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>parallel with %1 at a time</source>
        <translation>parallel, %1 zugleich</translation>
    </message>
    <message>
        <source>sequential execution</source>
        <translation>sequenzielle Ausführung</translation>
    </message>
    <message>
        <source>no spinning</source>
        <translation>ohne Spinning</translation>
    </message>
    <message>
        <source>batch as it comes</source>
        <translation>Batch wie gegeben</translation>
    </message>
    <message>
        <source>takes %1 times as long</source>
        <translation>braucht %1-mal so lange</translation>
    </message>
    <message>
        <source>; not known of %1, between %2 and %3 times as long</source>
        <translation>; nicht bekannt bei %1, zwischen %2- und %3-mal so lange</translation>
    </message>
    <message>
        <source>; not known of %1, with so few runs</source>
        <translation>; nicht bekannt bei %1, bei so wenigen Läufen</translation>
    </message>
    <message>
        <source>; cannot be told apart from it: </source>
        <translation>; davon nicht zu unterscheiden: </translation>
    </message>
    <message>
        <source>No other setting is known to give more inferences per second.</source>
        <translation>Von keiner anderen Einstellung ist bekannt, dass sie mehr Inferenzen pro Sekunde schafft.</translation>
    </message>
    <message>
        <source>No other setting is known to have a shorter run.</source>
        <translation>Von keiner anderen Einstellung ist ein kürzerer Lauf bekannt.</translation>
    </message>
    <message>
        <source>%1 times as many inferences per second as </source>
        <translation>%1-mal so viele Inferenzen pro Sekunde wie </translation>
    </message>
    <message>
        <source>Most inferences per second: %1: %2, %3 times as many</source>
        <translation>Meiste Inferenzen pro Sekunde: %1: %2, %3-mal so viele</translation>
    </message>
    <message>
        <source>Shortest run: %1, %2 times as long</source>
        <translation>Kürzester Lauf: %1, %2-mal so lange</translation>
    </message>
    <message>
        <source>%1 cannot be reached: </source>
        <translation>%1 ist nicht erreichbar: </translation>
    </message>
    <message>
        <source>%1 could not do what was asked: </source>
        <translation>%1 konnte nicht tun, was verlangt war: </translation>
    </message>
    <message>
        <source>ssh asks no password here: add a key, for example by `ssh-copy-id %1`</source>
        <translation>ssh fragt hier nach keinem Kennwort: Fügen Sie einen Schlüssel hinzu, zum Beispiel durch `ssh-copy-id %1`</translation>
    </message>
    <message>
        <source>run `ssh %1` in a terminal once and compare its key</source>
        <translation>führen Sie einmal `ssh %1` in einem Terminal aus und vergleichen Sie den Schlüssel</translation>
    </message>
    <message>
        <source>`ssh %1 true` in a terminal shows more</source>
        <translation>`ssh %1 true` in einem Terminal zeigt mehr</translation>
    </message>
    <message>
        <source>%1 is no product with a weight</source>
        <translation>%1 ist kein Produkt mit einem Gewicht</translation>
    </message>
    <message>
        <source>kept float as asked for (%1)</source>
        <translation>bleibt wie verlangt Gleitkomma (%1)</translation>
    </message>
    <message>
        <source>there is no integer kernel for %1</source>
        <translation>für %1 gibt es keinen Ganzzahl-Kernel</translation>
    </message>
    <message>
        <source>there is no integer operator for it</source>
        <translation>dafür gibt es keinen Ganzzahl-Operator</translation>
    </message>
    <message>
        <source>moves quantized values as they are</source>
        <translation>bewegt quantisierte Werte unverändert</translation>
    </message>
    <message>
        <source>no integer product follows</source>
        <translation>kein Ganzzahl-Produkt folgt</translation>
    </message>
    <message>
        <source>its inputs and outputs are quantized</source>
        <translation>seine Ein- und Ausgänge sind quantisiert</translation>
    </message>
    <message>
        <source>an input or its result stays float: integers would be made for it alone</source>
        <translation>ein Eingang oder sein Ergebnis bleibt Gleitkomma: Ganzzahlen entstünden nur dafür</translation>
    </message>
    <message>
        <source>goes into the rounding after it where that follows, else stays float</source>
        <translation>geht in die Rundung danach ein, wo eine folgt, sonst bleibt er Gleitkomma</translation>
    </message>
    <message>
        <source>goes into the rounding after it</source>
        <translation>geht in die Rundung danach ein</translation>
    </message>
    <message>
        <source>its integer kernel is the plain one, slower than that of floats</source>
        <translation>sein Ganzzahl-Kernel ist der einfache, langsamer als der für Gleitkomma</translation>
    </message>
    <message>
        <source>alpha, beta or a transposed first operand have no place in the integer product</source>
        <translation>für alpha, beta oder einen transponierten ersten Operanden ist im Ganzzahl-Produkt kein Platz</translation>
    </message>
    <message>
        <source>the range of its input is not known</source>
        <translation>der Wertebereich seines Eingangs ist nicht bekannt</translation>
    </message>
    <message>
        <source>it does not compute in float32</source>
        <translation>er rechnet nicht in float32</translation>
    </message>
    <message>
        <source>its second operand is no constant</source>
        <translation>sein zweiter Operand ist keine Konstante</translation>
    </message>
    <message>
        <source>its first operand is a constant</source>
        <translation>sein erster Operand ist eine Konstante</translation>
    </message>
    <message>
        <source>its weight has no spatial axis</source>
        <translation>sein Gewicht hat keine räumliche Achse</translation>
    </message>
    <message>
        <source>its weight is no matrix</source>
        <translation>sein Gewicht ist keine Matrix</translation>
    </message>
    <message>
        <source>its bias is not float32</source>
        <translation>sein Bias ist nicht float32</translation>
    </message>
    <message>
        <source>its weights are no constants of float32</source>
        <translation>seine Gewichte sind keine Konstanten in float32</translation>
    </message>
    <message>
        <source>its weight is too small to gain by it</source>
        <translation>sein Gewicht ist zu klein, um davon zu gewinnen</translation>
    </message>
    <message>
        <source>it has no constant weight of float32</source>
        <translation>er hat kein konstantes Gewicht in float32</translation>
    </message>
    <message>
        <source>it does not select from a constant of float32</source>
        <translation>er wählt nicht aus einer Konstanten in float32</translation>
    </message>
    <message>
        <source>its table is too small, or no matrix of which rows are taken</source>
        <translation>seine Tabelle ist zu klein oder keine Matrix, aus der Zeilen genommen werden</translation>
    </message>
    <message>
        <source>its constant %1 holds values that are not finite</source>
        <translation>seine Konstante %1 enthält Werte, die nicht endlich sind</translation>
    </message>
    <message>
        <source>its input is not quantized when ONNX Runtime comes to it</source>
        <translation>sein Eingang ist nicht quantisiert, wenn ONNX Runtime zu ihm kommt</translation>
    </message>
    <message>
        <source>stands between nodes that stay float32</source>
        <translation>steht zwischen Knoten, die float32 bleiben</translation>
    </message>
    <message>
        <source>computes in float16</source>
        <translation>rechnet in float16</translation>
    </message>
    <message>
        <source>weight as bfloat16</source>
        <translation>Gewicht als bfloat16</translation>
    </message>
    <message>
        <source>table as bfloat16</source>
        <translation>Tabelle als bfloat16</translation>
    </message>
    <message>
        <source>weight as 8-bit floats, scaled per channel</source>
        <translation>Gewicht als 8-Bit-Gleitkommazahlen, je Kanal skaliert</translation>
    </message>
    <message>
        <source>weight as 8-bit floats, scaled per tensor</source>
        <translation>Gewicht als 8-Bit-Gleitkommazahlen, je Tensor skaliert</translation>
    </message>
    <message>
        <source>Gather takes no 8-bit floats</source>
        <translation>Gather nimmt keine 8-Bit-Gleitkommazahlen</translation>
    </message>
    <message>
        <source>weight stored in 8 bits, computed in float as asked for</source>
        <translation>Gewicht in 8 Bit gespeichert, wie verlangt in Gleitkomma gerechnet</translation>
    </message>
    <message>
        <source>weights stored in 8 bits, computed in float: there is no integer operator for it</source>
        <translation>Gewichte in 8 Bit gespeichert, in Gleitkomma gerechnet: dafür gibt es keinen Ganzzahl-Operator</translation>
    </message>
    <message>
        <source>table of 8 bits with a scale per row</source>
        <translation>Tabelle in 8 Bit mit einer Skala je Zeile</translation>
    </message>
    <message>
        <source>table of 8 bits</source>
        <translation>Tabelle in 8 Bit</translation>
    </message>
    <message>
        <source>table of %1 bits in blocks of %2</source>
        <translation>Tabelle in %1 Bit in Blöcken zu %2</translation>
    </message>
    <message>
        <source>weight of %1 bits in blocks of %2, rounding compensated</source>
        <translation>Gewicht in %1 Bit in Blöcken zu %2, Rundung ausgeglichen</translation>
    </message>
    <message>
        <source>weight of %1 bits in blocks of %2</source>
        <translation>Gewicht in %1 Bit in Blöcken zu %2</translation>
    </message>
    <message>
        <source>weights in blocks are those of MatMul and plain Gemm</source>
        <translation>Gewichte in Blöcken haben MatMul und einfaches Gemm</translation>
    </message>
    <message>
        <source>its %1 rows do not fill a block of %2</source>
        <translation>seine %1 Zeilen füllen keinen Block zu %2</translation>
    </message>
    <message>
        <source>its rows of %1 are no whole blocks of %2</source>
        <translation>seine Zeilen zu %1 sind keine ganzen Blöcke zu %2</translation>
    </message>
    <message>
        <source>a table behind DequantizeLinear would become float whole in each run</source>
        <translation>eine Tabelle hinter DequantizeLinear würde in jedem Lauf ganz zu Gleitkomma</translation>
    </message>
    <message>
        <source>DynamicQuantizeLSTM has no layout with the batch first</source>
        <translation>DynamicQuantizeLSTM hat keine Anordnung mit dem Batch zuerst</translation>
    </message>
    <message>
        <source>weight per channel, input range taken in each run</source>
        <translation>Gewicht je Kanal, Wertebereich des Eingangs in jedem Lauf bestimmt</translation>
    </message>
    <message>
        <source>weight per channel, input and result quantized</source>
        <translation>Gewicht je Kanal, Eingang und Ergebnis quantisiert</translation>
    </message>
    <message>
        <source>weight per channel, input quantized, result quantized</source>
        <translation>Gewicht je Kanal, Eingang quantisiert, Ergebnis quantisiert</translation>
    </message>
    <message>
        <source>weight per channel, input quantized, result float</source>
        <translation>Gewicht je Kanal, Eingang quantisiert, Ergebnis Gleitkomma</translation>
    </message>
    <message>
        <source>weight per channel alone, computed in float as asked for</source>
        <translation>nur das Gewicht je Kanal, wie verlangt in Gleitkomma gerechnet</translation>
    </message>
    <message>
        <source>weight per channel alone, computed in float: there is no integer operator for it</source>
        <translation>nur das Gewicht je Kanal, in Gleitkomma gerechnet: dafür gibt es keinen Ganzzahl-Operator</translation>
    </message>
    <message>
        <source>weights of the projections per channel, input range taken in each run, attention itself in float</source>
        <translation>Gewichte der Projektionen je Kanal, Wertebereich des Eingangs in jedem Lauf bestimmt, die Attention selbst in Gleitkomma</translation>
    </message>
    <message>
        <source>weight per tensor, input range taken in each run</source>
        <translation>Gewicht je Tensor, Wertebereich des Eingangs in jedem Lauf bestimmt</translation>
    </message>
    <message>
        <source>weight per tensor, input and result quantized</source>
        <translation>Gewicht je Tensor, Eingang und Ergebnis quantisiert</translation>
    </message>
    <message>
        <source>weight per tensor, input quantized, result quantized</source>
        <translation>Gewicht je Tensor, Eingang quantisiert, Ergebnis quantisiert</translation>
    </message>
    <message>
        <source>weight per tensor, input quantized, result float</source>
        <translation>Gewicht je Tensor, Eingang quantisiert, Ergebnis Gleitkomma</translation>
    </message>
    <message>
        <source>weight per tensor alone, computed in float as asked for</source>
        <translation>nur das Gewicht je Tensor, wie verlangt in Gleitkomma gerechnet</translation>
    </message>
    <message>
        <source>weight per tensor alone, computed in float: there is no integer operator for it</source>
        <translation>nur das Gewicht je Tensor, in Gleitkomma gerechnet: dafür gibt es keinen Ganzzahl-Operator</translation>
    </message>
    <message>
        <source>weights of the projections per tensor, input range taken in each run, attention itself in float</source>
        <translation>Gewichte der Projektionen je Tensor, Wertebereich des Eingangs in jedem Lauf bestimmt, die Attention selbst in Gleitkomma</translation>
    </message>
    <message>
        <source>weights per gate and unit, input ranges taken in each run</source>
        <translation>Gewichte je Gate und Einheit, Wertebereiche der Eingänge in jedem Lauf bestimmt</translation>
    </message>
    <message>
        <source>weights per direction, input ranges taken in each run</source>
        <translation>Gewichte je Richtung, Wertebereiche der Eingänge in jedem Lauf bestimmt</translation>
    </message>
    <message>
        <source>slower than the original here: </source>
        <translation>langsamer als das Original hier: </translation>
    </message>
    <message>
        <source>slower than the original in ONNX Runtime: </source>
        <translation>langsamer als das Original in ONNX Runtime: </translation>
    </message>
    <message>
        <source>%1 ms against %2 ms a run, %3 times (%4 to %5)</source>
        <translation>%1 ms gegen %2 ms je Lauf, das %3-Fache (%4 bis %5)</translation>
    </message>
    <message>
        <source>hardly smaller: constants %1 -&gt; %2</source>
        <translation>kaum kleiner: Konstanten %1 → %2</translation>
    </message>
    <message>
        <source>the floor was missed: </source>
        <translation>die Untergrenze wurde verfehlt: </translation>
    </message>
    <message>
        <source>outputs are far off: </source>
        <translation>Ausgaben weichen weit ab: </translation>
    </message>
    <message>
        <source>SQNR %1 is below %2</source>
        <translation>SQNR %1 liegt unter %2</translation>
    </message>
    <message>
        <source>an output has SQNR %1, no better than zeros</source>
        <translation>eine Ausgabe hat SQNR %1, nicht besser als Nullen</translation>
    </message>
    <message>
        <source>%1 of 1 answer changed</source>
        <translation>%1 von 1 Antwort geändert</translation>
    </message>
    <message>
        <source>%1 of %2 answers changed</source>
        <translation>%1 von %2 Antworten geändert</translation>
    </message>
    <message>
        <source>right answers fell from %1 to %2</source>
        <translation>richtige Antworten fielen von %1 auf %2</translation>
    </message>
    <message>
        <source>the samples are generated: ranges of made-up inputs are not those of real ones, and the accuracy measured on them says little</source>
        <translation>die Beispiele sind erzeugt: Wertebereiche erfundener Eingaben sind nicht die echter, und die an ihnen gemessene Genauigkeit sagt wenig</translation>
    </message>
    <message>
        <source>%1 % of value %2 are beyond the range [%3, %4] of the samples that gave it: more or other samples are needed</source>
        <translation>%1 % des Werts %2 liegen außerhalb des Bereichs [%3; %4] der Beispiele, aus denen er stammt: mehr oder andere Beispiele sind nötig</translation>
    </message>
    <message>
        <source>so it is with %1 more values</source>
        <translation>so ist es bei %1 weiteren Werten</translation>
    </message>
    <message>
        <source>%1 weights hold neighbours whose 8-bit products saturate in ONNX Runtime on x86 CPUs without VNNI: weights of 7 bits are safe there</source>
        <translation>%1 Gewichte enthalten Nachbarn, deren 8-Bit-Produkte in ONNX Runtime auf x86-CPUs ohne VNNI in die Sättigung gehen: Gewichte mit 7 Bit sind dort sicher</translation>
    </message>
    <message>
        <source>%1 weight holds neighbours whose 8-bit products saturate in ONNX Runtime on x86 CPUs without VNNI: weights of 7 bits are safe there</source>
        <translation>%1 Gewicht enthält Nachbarn, deren 8-Bit-Produkte in ONNX Runtime auf x86-CPUs ohne VNNI in die Sättigung gehen: Gewichte mit 7 Bit sind dort sicher</translation>
    </message>
    <message>
        <source>no integer kernel takes up %1 pairs of QuantizeLinear and DequantizeLinear: they round and speed nothing up</source>
        <translation>kein Ganzzahl-Kernel nimmt %1 Paare von QuantizeLinear und DequantizeLinear auf: sie runden und beschleunigen nichts</translation>
    </message>
    <message>
        <source>no integer kernel takes up %1 pair of QuantizeLinear and DequantizeLinear: it rounds and speeds nothing up</source>
        <translation>kein Ganzzahl-Kernel nimmt %1 Paar von QuantizeLinear und DequantizeLinear auf: es rundet und beschleunigt nichts</translation>
    </message>
    <message>
        <source>output %1 of the original was not finite in %2 of %3 elements, which were not compared</source>
        <translation>Ausgabe %1 des Originals war in %2 von %3 Elementen nicht endlich; diese wurden nicht verglichen</translation>
    </message>
    <message>
        <source>output %1 of the quantized model is not finite in %2 of %3 elements where the original&apos;s are</source>
        <translation>Ausgabe %1 des quantisierten Modells ist in %2 von %3 Elementen nicht endlich, wo die des Originals es sind</translation>
    </message>
    <message>
        <source>%1 samples were left out in all</source>
        <translation>insgesamt wurden %1 Beispiele ausgelassen</translation>
    </message>
    <message>
        <source>%1 was left out: %2</source>
        <translation>%1 wurde ausgelassen: %2</translation>
    </message>
    <message>
        <source>value %1 had elements that are not finite, which were left out</source>
        <translation>Wert %1 hatte nicht endliche Elemente, die ausgelassen wurden</translation>
    </message>
    <message>
        <source>value %1 was the same in all samples</source>
        <translation>Wert %1 war in allen Beispielen gleich</translation>
    </message>
    <message>
        <source>value %1 has outliers: it reaches %2, 99.99 % of it stay below %3; smoothing or 16-bit activations may help</source>
        <translation>Wert %1 hat Ausreißer: er erreicht %2, 99.99 % davon bleiben unter %3; Glätten oder 16-Bit-Aktivierungen können helfen</translation>
    </message>
    <message>
        <source>%1 more values had elements that are not finite</source>
        <translation>%1 weitere Werte hatten nicht endliche Elemente</translation>
    </message>
    <message>
        <source>%1 more values were the same in all samples</source>
        <translation>%1 weitere Werte waren in allen Beispielen gleich</translation>
    </message>
    <message>
        <source>%1 more values have outliers</source>
        <translation>%1 weitere Werte haben Ausreißer</translation>
    </message>
    <message>
        <source>Fused operators of ONNX Runtime, no layout of one CPU.</source>
        <translation>Verschmolzene Operatoren von ONNX Runtime, keine Anordnung für eine bestimmte CPU.</translation>
    </message>
    <message>
        <source>ONNX Runtime, any platform</source>
        <translation>ONNX Runtime, jede Plattform</translation>
    </message>
    <message>
        <source>ONNX operators only: what only ONNX Runtime knows is written out.</source>
        <translation>Nur ONNX-Operatoren: was nur ONNX Runtime kennt, wird ausgeschrieben.</translation>
    </message>
    <message>
        <source>any ONNX implementation of the model&apos;s opset</source>
        <translation>jede ONNX-Implementierung mit dem Opset des Modells</translation>
    </message>
    <message>
        <source>Everything, the memory layout of this CPU included; says so in its metadata.</source>
        <translation>Alles, auch die Speicheranordnung dieser CPU; in den Metadaten steht es.</translation>
    </message>
    <message>
        <source>ONNX Runtime on a CPU with the same vector width</source>
        <translation>ONNX Runtime auf einer CPU mit derselben Vektorbreite</translation>
    </message>
    <message>
        <source>input %1 %2 is none that generating knows how to fill: expected caches named past* with outputs named present*, and of %3</source>
        <translation>Eingang %1 %2 ist keiner, den das Erzeugen füllen kann: erwartet werden Caches namens past* mit Ausgängen namens present* und von %3</translation>
    </message>
    <message>
        <source>input %1: %2 is not what a decoder has under this name</source>
        <translation>Eingang %1: %2 ist nicht, was ein Decoder unter diesem Namen hat</translation>
    </message>
    <message>
        <source>cache %1 %2 has a fixed number of rows: it cannot begin empty</source>
        <translation>Cache %1 %2 hat eine feste Zahl von Zeilen: er kann nicht leer beginnen</translation>
    </message>
    <message>
        <source>none of the %1 outputs that are no caches is named &quot;logits&quot;</source>
        <translation>keiner der %1 Ausgänge, die keine Caches sind, heißt &quot;logits&quot;</translation>
    </message>
    <message>
        <source>output %1: expected logits as floats of shape [sequences, tokens, vocabulary], found %2</source>
        <translation>Ausgang %1: erwartet werden Logits als Gleitkommazahlen der Form [Sequenzen, Tokens, Vokabular], gefunden wurde %2</translation>
    </message>
    <message>
        <source>the model has no input &quot;input_ids&quot; of tokens: it is no decoder</source>
        <translation>das Modell hat keinen Eingang &quot;input_ids&quot; für Tokens: es ist kein Decoder</translation>
    </message>
    <message>
        <source>%1 % changed answers is more than %2 % changed answers</source>
        <translation>%1 % geänderte Antworten sind mehr als %2 %</translation>
    </message>
    <message>
        <source>%1 % of top-1 lost is more than %2 % of top-1 lost</source>
        <translation>%1 % Verlust an Top-1 ist mehr als %2 %</translation>
    </message>
    <message>
        <source>%1 inputs with ids of embeddings counted from the front, for ONNX Runtime&apos;s EmbedLayerNormalization refuses those below zero</source>
        <translation>%1 Eingänge mit Nummern von Embeddings von vorn gezählt, denn EmbedLayerNormalization von ONNX Runtime weist solche unter null ab</translation>
    </message>
    <message>
        <source>%1 input with ids of embeddings counted from the front, for ONNX Runtime&apos;s EmbedLayerNormalization refuses those below zero</source>
        <translation>%1 Eingang mit Nummern von Embeddings von vorn gezählt, denn EmbedLayerNormalization von ONNX Runtime weist solche unter null ab</translation>
    </message>
    <message>
        <source>converted from opset %1 to %2, the first with LayerNormalization</source>
        <translation>von Opset %1 auf %2 umgestellt, das erste mit LayerNormalization</translation>
    </message>
    <message>
        <source>converted from opset %1 to %2</source>
        <translation>von Opset %1 auf %2 umgestellt</translation>
    </message>
    <message>
        <source>%1 normalizations that ONNX does not have at opset %2 were written out</source>
        <translation>%1 Normalisierungen, die ONNX bei Opset %2 nicht hat, wurden ausgeschrieben</translation>
    </message>
    <message>
        <source>laid out for blocks of %1 channels: only ONNX Runtime on such a CPU computes the same</source>
        <translation>für Blöcke zu %1 Kanälen angeordnet: nur ONNX Runtime auf einer solchen CPU rechnet dasselbe</translation>
    </message>
    <message>
        <source>the layout of one CPU was undone: </source>
        <translation>die Anordnung für eine bestimmte CPU wurde aufgehoben: </translation>
    </message>
    <message>
        <source>LayerNormalization is written out: </source>
        <translation>LayerNormalization wird ausgeschrieben: </translation>
    </message>
</context>
<context>
    <name>Counters</name>
    <message>
        <source>No hardware counters: the system forbids them (kernel.perf_event_paranoid is %1, at most %2 allows them).</source>
        <translation>Keine Hardwarezähler: Das System verbietet sie (kernel.perf_event_paranoid ist %1, höchstens %2 erlaubt sie).</translation>
    </message>
    <message>
        <source>No hardware counters: the system forbids them, as containers do.</source>
        <translation>Keine Hardwarezähler: Das System verbietet sie, wie es Container tun.</translation>
    </message>
    <message>
        <source>No hardware counters: this machine shows none, as most virtual machines.</source>
        <translation>Keine Hardwarezähler: Dieser Rechner zeigt keine, wie die meisten virtuellen Maschinen.</translation>
    </message>
    <message>
        <source>No hardware counters: the process has too many threads for its limit of open files.</source>
        <translation>Keine Hardwarezähler: Der Prozess hat zu viele Threads für seine Grenze offener Dateien.</translation>
    </message>
    <message>
        <source>%1 instructions per cycle, all threads in all profiled runs</source>
        <translation>%1 Befehle je Takt, alle Threads in allen profilierten Läufen</translation>
    </message>
    <message>
        <source>%1 of the cycles waited for instructions</source>
        <translation>%1 der Takte warteten auf Befehle</translation>
    </message>
    <message>
        <source>%1 misses of the last cache in a run, %2 GB/s from memory</source>
        <translation>%1 Fehlgriffe des letzten Caches je Lauf, %2 GB/s aus dem Speicher</translation>
    </message>
    <message>
        <source>Frequency: not known</source>
        <translation>Takt: nicht bekannt</translation>
    </message>
    <message>
        <source>Frequency: %1 of %2 GHz</source>
        <translation>Takt: %1 von %2 GHz</translation>
    </message>
    <message>
        <source>Frequency: %1 GHz</source>
        <translation>Takt: %1 GHz</translation>
    </message>
    <message>
        <source>Slowed down by heat, times: %1</source>
        <translation>Durch Hitze gebremst, Male: %1</translation>
    </message>
    <message>
        <source>Not slowed down by heat</source>
        <translation>Nicht durch Hitze gebremst</translation>
    </message>
    <message>
        <source>Energy: %1 J in a run, of the whole processor</source>
        <translation>Energie: %1 J je Lauf, des ganzen Prozessors</translation>
    </message>
    <message>
        <source>Energy: only an administrator may read the meter.</source>
        <translation>Energie: Den Zähler darf nur ein Administrator lesen.</translation>
    </message>
    <message>
        <source>Energy: the system shows no meter.</source>
        <translation>Energie: Das System zeigt keinen Zähler.</translation>
    </message>
</context>
<context>
    <name>EditWords</name>
    <message>
        <source>Removes nodes. Readers of what they wrote read the nodes&apos; first input instead; `cut` makes what is missing inputs of the model.</source>
        <translation>Entfernt Knoten. Wer las, was sie schrieben, liest dann ihren ersten Eingang; mit `cut` wird das Fehlende zu Eingängen des Modells.</translation>
    </message>
    <message>
        <source>Puts a node on a value, before a node or one of its inputs (NODE.INPUT), or after it.</source>
        <translation>Setzt einen Knoten auf einen Wert, vor einen Knoten oder einen seiner Eingänge (NODE.INPUT) oder dahinter.</translation>
    </message>
    <message>
        <source>Puts the nodes of a model file in place of each node, inputs and outputs in order.</source>
        <translation>Setzt die Knoten einer Modelldatei an die Stelle jedes Knotens; Ein- und Ausgänge folgen der Reihe nach.</translation>
    </message>
    <message>
        <source>Calls a function of the model in place of each node.</source>
        <translation>Ruft an der Stelle jedes Knotens eine Funktion des Modells auf.</translation>
    </message>
    <message>
        <source>Gives nodes another operator; attributes that both have stay.</source>
        <translation>Gibt Knoten einen anderen Operator; Attribute, die beide haben, bleiben.</translation>
    </message>
    <message>
        <source>Sets an attribute to a number, a text, a list such as [1,2] or a type.</source>
        <translation>Setzt ein Attribut auf eine Zahl, einen Text, eine Liste wie [1,2] oder einen Typ.</translation>
    </message>
    <message>
        <source>Removes an attribute, which then has its default.</source>
        <translation>Entfernt ein Attribut, das dann seinen Standardwert hat.</translation>
    </message>
    <message>
        <source>Gives another name; each * of FROM becomes the * of TO in the same place.</source>
        <translation>Gibt einen anderen Namen; jedes * von FROM wird zum * von TO an derselben Stelle.</translation>
    </message>
    <message>
        <source>Lets an input of a node, by its name or number, read a value.</source>
        <translation>Lässt einen Eingang eines Knotens, nach Name oder Nummer, einen Wert lesen.</translation>
    </message>
    <message>
        <source>Leaves out an input of a node that is optional.</source>
        <translation>Lässt einen Eingang eines Knotens weg, der nicht nötig ist.</translation>
    </message>
    <message>
        <source>Makes inner values outputs of the model.</source>
        <translation>Macht innere Werte zu Ausgängen des Modells.</translation>
    </message>
    <message>
        <source>Removes outputs of the model, and the nodes that only they needed.</source>
        <translation>Entfernt Ausgänge des Modells und die Knoten, die nur sie brauchten.</translation>
    </message>
    <message>
        <source>Removes inputs of the model that nothing reads.</source>
        <translation>Entfernt Eingänge des Modells, die nichts liest.</translation>
    </message>
    <message>
        <source>Removes all other outputs, and the nodes that only they needed.</source>
        <translation>Entfernt alle anderen Ausgänge und die Knoten, die nur sie brauchten.</translation>
    </message>
    <message>
        <source>Keeps what computes some values from others, which become inputs.</source>
        <translation>Behält, was Werte aus anderen berechnet, die zu Eingängen werden.</translation>
    </message>
    <message>
        <source>Keeps these nodes alone; what they read of others becomes inputs.</source>
        <translation>Behält nur diese Knoten; was sie von anderen lesen, wird zu Eingängen.</translation>
    </message>
    <message>
        <source>Gives a dimension with a name a fixed size.</source>
        <translation>Gibt einer Dimension mit Namen eine feste Größe.</translation>
    </message>
    <message>
        <source>Converts the model to another opset of ai.onnx.</source>
        <translation>Bringt das Modell auf ein anderes Opset von ai.onnx.</translation>
    </message>
    <message>
        <source>Changes the type of an input or output: float[N,3,224,224].</source>
        <translation>Ändert den Typ eines Ein- oder Ausgangs: float[N,3,224,224].</translation>
    </message>
    <message>
        <source>Makes an input a constant: an .npy or .npz file, one number for all elements, or a list such as [1,2].</source>
        <translation>Macht einen Eingang zur Konstante: eine .npy- oder .npz-Datei, eine Zahl für alle Elemente oder eine Liste wie [1,2].</translation>
    </message>
    <message>
        <source>Makes a constant an input, with its value as default; `bare`: without.</source>
        <translation>Macht eine Konstante zum Eingang mit ihrem Wert als Vorgabe; `bare`: ohne Vorgabe.</translation>
    </message>
    <message>
        <source>Brings inputs or outputs into this order; the others follow.</source>
        <translation>Bringt Ein- oder Ausgänge in diese Reihenfolge; die anderen folgen.</translation>
    </message>
    <message>
        <source>Gives a constant the values of an .npy or .npz file of the same type and shape.</source>
        <translation>Gibt einer Konstante die Werte einer .npy- oder .npz-Datei von gleichem Typ und gleicher Form.</translation>
    </message>
    <message>
        <source>Transposes a constant; readers get the old order from a Transpose or from Gemm&apos;s transB. `plain`: they read it transposed.</source>
        <translation>Transponiert eine Konstante; Leser erhalten die alte Ordnung durch ein Transpose oder durch transB von Gemm. `plain`: sie lesen sie transponiert.</translation>
    </message>
    <message>
        <source>Stores a constant in another element type, with a Cast behind it.</source>
        <translation>Speichert eine Konstante in einem anderen Elementtyp, mit einem Cast dahinter.</translation>
    </message>
    <message>
        <source>Brings everything of one float type to another: float64 -&gt; float32.</source>
        <translation>Bringt alles von einem Gleitkommatyp zu einem anderen: float64 -&gt; float32.</translation>
    </message>
    <message>
        <source>Gives a fixed dimension of an input, such as x[0], a name, and mends Reshapes that have its size in their targets.</source>
        <translation>Gibt einer festen Dimension eines Eingangs, etwa x[0], einen Namen und passt Reshapes an, in deren Zielen ihre Größe steht.</translation>
    </message>
    <message>
        <source>Splits the model in two files at inner values; the first is edited on.</source>
        <translation>Teilt das Modell an inneren Werten in zwei Dateien; die erste wird weiter bearbeitet.</translation>
    </message>
    <message>
        <source>Puts MatMul and Add in place of Gemm.</source>
        <translation>Setzt MatMul und Add an die Stelle von Gemm.</translation>
    </message>
    <message>
        <source>Puts the model of a file behind this one: `with a -&gt; b, c -&gt; d` says which output goes to which input; else equal names do.</source>
        <translation>Setzt das Modell einer Datei hinter dieses: `with a -&gt; b, c -&gt; d` sagt, welcher Ausgang zu welchem Eingang führt; sonst tun es gleiche Namen.</translation>
    </message>
    <message>
        <source>Makes an input one of bytes, normalized inside, with a number for each channel: [123.7,116.3,103.5].</source>
        <translation>Macht einen Eingang zu einem von Bytes, die im Modell normalisiert werden, mit einer Zahl für jeden Kanal: [123.7,116.3,103.5].</translation>
    </message>
    <message>
        <source>Lets an input take channels last (nhwc) or first.</source>
        <translation>Lässt einen Eingang die Kanäle hinten (nhwc) oder vorn annehmen.</translation>
    </message>
    <message>
        <source>Lets an input take pictures of any size, resized inside.</source>
        <translation>Lässt einen Eingang Bilder jeder Größe annehmen, deren Größe im Modell geändert wird.</translation>
    </message>
    <message>
        <source>Gives the Softmax of an output along its last axis.</source>
        <translation>Gibt das Softmax eines Ausgangs entlang seiner letzten Achse.</translation>
    </message>
    <message>
        <source>Gives the highest values of an output, and NAME_indices, along its last axis; NAME_labels too with a file of labels, one a line.</source>
        <translation>Gibt die höchsten Werte eines Ausgangs entlang seiner letzten Achse und NAME_indices; mit einer Datei von Klassennamen, je einer in einer Zeile, auch NAME_labels.</translation>
    </message>
    <message>
        <source>Lets an input of ids take texts, split at white space: a file of whole words, one a line, or a tokenizer.json of type WordLevel.</source>
        <translation>Lässt einen Eingang für Nummern Texte annehmen, die an Leerraum geteilt werden: eine Datei ganzer Wörter, je eines in einer Zeile, oder eine tokenizer.json vom Typ WordLevel.</translation>
    </message>
    <message>
        <source>Adds the output selected_indices: the boxes that NonMaxSuppression keeps.</source>
        <translation>Fügt den Ausgang selected_indices hinzu: die Rahmen, die NonMaxSuppression behält.</translation>
    </message>
    <message>
        <source>Applies an edit to a body of an If, Loop or Scan: in If_3.then_branch delete conv1.</source>
        <translation>Wendet eine Bearbeitung auf einen Rumpf eines If, Loop oder Scan an: in If_3.then_branch delete conv1.</translation>
    </message>
    <message>
        <source>Applies an edit to the body of a function, and so to all its calls.</source>
        <translation>Wendet eine Bearbeitung auf den Rumpf einer Funktion an und damit auf alle ihre Aufrufe.</translation>
    </message>
    <message>
        <source>Puts one branch in place of an If, whatever its condition.</source>
        <translation>Setzt einen Zweig an die Stelle eines If, was immer seine Bedingung ist.</translation>
    </message>
    <message>
        <source>Puts simpler operators in place of nodes: the function body of ONNX, of the model&apos;s own function, or the parts of an operator of com.microsoft.</source>
        <translation>Setzt einfachere Operatoren an die Stelle von Knoten: den Funktionsrumpf von ONNX, den einer Funktion des Modells oder die Teile eines Operators von com.microsoft.</translation>
    </message>
    <message>
        <source>Applies the rewriting rules of a file wherever they match; an error where none does.</source>
        <translation>Wendet die Umformungsregeln einer Datei an, wo immer sie passen; ein Fehler, wo keine passt.</translation>
    </message>
    <message>
        <source>Sets an entry of the metadata.</source>
        <translation>Setzt einen Eintrag der Metadaten.</translation>
    </message>
    <message>
        <source>Removes an entry of the metadata.</source>
        <translation>Entfernt einen Eintrag der Metadaten.</translation>
    </message>
    <message>
        <source>Sets what the file says of itself.</source>
        <translation>Setzt, was die Datei von sich selbst sagt.</translation>
    </message>
    <message>
        <source>the model has no value %1</source>
        <translation>das Modell hat keinen Wert %1</translation>
    </message>
    <message>
        <source>the model has no constant %1</source>
        <translation>das Modell hat keine Konstante %1</translation>
    </message>
    <message>
        <source>the model has no function %1</source>
        <translation>das Modell hat keine Funktion %1</translation>
    </message>
    <message>
        <source>the model has no input %1; there are: </source>
        <translation>das Modell hat keinen Eingang %1; es gibt: </translation>
    </message>
    <message>
        <source>the model has no output %1; there are: </source>
        <translation>das Modell hat keinen Ausgang %1; es gibt: </translation>
    </message>
    <message>
        <source>no node of the graph matches %1</source>
        <translation>kein Knoten des Graphen passt zu %1</translation>
    </message>
    <message>
        <source>no value of the graph matches %1</source>
        <translation>kein Wert des Graphen passt zu %1</translation>
    </message>
    <message>
        <source>expected one node, %1 matches %2</source>
        <translation>erwartet wird ein Knoten, zu %1 passen %2</translation>
    </message>
    <message>
        <source>expected one value, %1 matches %2</source>
        <translation>erwartet wird ein Wert, zu %1 passen %2</translation>
    </message>
    <message>
        <source>; did you mean %1?</source>
        <translation>; meinten Sie %1?</translation>
    </message>
    <message>
        <source>no operator is called %1</source>
        <translation>kein Operator heißt %1</translation>
    </message>
    <message>
        <source>operator %1 does not exist in opset %2</source>
        <translation>den Operator %1 gibt es in Opset %2 nicht</translation>
    </message>
    <message>
        <source>no verb is called %1</source>
        <translation>keine Bearbeitung heißt %1</translation>
    </message>
    <message>
        <source>no input is called %1</source>
        <translation>kein Eingang heißt %1</translation>
    </message>
    <message>
        <source>a node is called %1 already: the name of the new node has to be free</source>
        <translation>ein Knoten heißt schon %1: der Name des neuen Knotens muss frei sein</translation>
    </message>
    <message>
        <source>a value is called %1 already</source>
        <translation>ein Wert heißt schon %1</translation>
    </message>
    <message>
        <source>no node has a name within the scope %1</source>
        <translation>kein Knoten hat einen Namen im Bereich %1</translation>
    </message>
    <message>
        <source>the model would have no output without %1</source>
        <translation>ohne %1 hätte das Modell keinen Ausgang</translation>
    </message>
    <message>
        <source>the model would have no output</source>
        <translation>das Modell hätte keinen Ausgang</translation>
    </message>
    <message>
        <source>reads %1, which nothing writes</source>
        <translation>liest %1, das nichts schreibt</translation>
    </message>
    <message>
        <source>nothing writes this output of the model</source>
        <translation>nichts schreibt diesen Ausgang des Modells</translation>
    </message>
    <message>
        <source>leaves the model invalid: </source>
        <translation>macht das Modell ungültig: </translation>
    </message>
    <message>
        <source>%1 is an output of the model already</source>
        <translation>%1 ist schon ein Ausgang des Modells</translation>
    </message>
    <message>
        <source>the model is of opset %1 already</source>
        <translation>das Modell hat schon Opset %1</translation>
    </message>
    <message>
        <source>the model cannot be converted to opset %1: </source>
        <translation>das Modell lässt sich nicht auf Opset %1 bringen: </translation>
    </message>
    <message>
        <source>the metadata have no entry %1</source>
        <translation>die Metadaten haben keinen Eintrag %1</translation>
    </message>
    <message>
        <source>the type of %1, which would be an input, is not known</source>
        <translation>der Typ von %1, das ein Eingang würde, ist nicht bekannt</translation>
    </message>
    <message>
        <source>the new value of %1 is %2, expected %3</source>
        <translation>der neue Wert von %1 ist %2, erwartet wird %3</translation>
    </message>
    <message>
        <source>%1 is no constant: a node computes it</source>
        <translation>%1 ist keine Konstante: ein Knoten berechnet es</translation>
    </message>
    <message>
        <source>%1 has a default, which would not fit any more</source>
        <translation>%1 hat eine Vorgabe, die nicht mehr passen würde</translation>
    </message>
    <message>
        <source>no rule of %1 applies to the model</source>
        <translation>keine Regel aus %1 passt auf das Modell</translation>
    </message>
    <message>
        <source>its parts are not known</source>
        <translation>seine Teile sind nicht bekannt</translation>
    </message>
    <message>
        <source>expected a whole number, found %1</source>
        <translation>erwartet wird eine ganze Zahl, gefunden wurde %1</translation>
    </message>
    <message>
        <source>nodes that went with the outputs: %1.</source>
        <translation>Mit den Ausgängen verschwanden Knoten: %1.</translation>
    </message>
    <message>
        <source>Converted from opset %1 to %2.</source>
        <translation>Von Opset %1 auf %2 gebracht.</translation>
    </message>
    <message>
        <source>line %1 (</source>
        <translation>Zeile %1 (</translation>
    </message>
    <message>
        <source>node %1 (</source>
        <translation>Knoten %1 (</translation>
    </message>
</context>
<context>
    <name>FileWords</name>
    <message>
        <source>Lists of words (*.txt *.json)</source>
        <translation>Wortlisten (*.txt *.json)</translation>
    </message>
    <message>
        <source>Models (*.onnx)</source>
        <translation>Modelle (*.onnx)</translation>
    </message>
    <message>
        <source>Rewriting rules (*.rules *.txt)</source>
        <translation>Ersetzungsregeln (*.rules *.txt)</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy *.npz)</source>
        <translation>NumPy-Arrays (*.npy *.npz)</translation>
    </message>
</context>
<context>
    <name>FindQuery</name>
    <message>
        <source>&quot;%1&quot; is no time: write time&gt;1ms or time&lt;20us</source>
        <translation>„%1“ ist keine Zeit: schreiben Sie time&gt;1ms oder time&lt;20us</translation>
    </message>
</context>
<context>
    <name>GeneratePage</name>
    <message>
        <source>Products</source>
        <translation>Produkte</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>Caches</translation>
    </message>
    <message>
        <source>Other nodes</source>
        <translation>Andere Knoten</translation>
    </message>
    <message>
        <source>Between nodes</source>
        <translation>Zwischen Knoten</translation>
    </message>
    <message>
        <source>no caches: every run is given all tokens again</source>
        <translation>keine Caches: jeder Lauf bekommt alle Tokens noch einmal</translation>
    </message>
    <message>
        <source>caches of fixed size for %1 tokens</source>
        <translation>Caches fester Größe für %1 Tokens</translation>
    </message>
    <message>
        <source>growing caches</source>
        <translation>wachsende Caches</translation>
    </message>
    <message>
        <source>growing caches: %1</source>
        <translation>wachsende Caches: %1</translation>
    </message>
    <message>
        <source>The first token came after %1.</source>
        <translation>Der erste Token kam nach %1.</translation>
    </message>
    <message>
        <source>%1 tokens per second, %2 each; the first after %3.</source>
        <translation>%1 Tokens je Sekunde, jeder %2; der erste nach %3.</translation>
    </message>
    <message>
        <source>%1 B takes %2 each, %3 times as fast.</source>
        <translation>%1 B braucht für jeden %2, ist also %3-mal so schnell.</translation>
    </message>
    <message>
        <source>threads: %1</source>
        <translation>Threads: %1</translation>
    </message>
    <message>
        <source>tokens in the prompt: %1</source>
        <translation>Tokens im Prompt: %1</translation>
    </message>
    <message>
        <source>The head is %1 of a token and float: quantize it.</source>
        <translation>Der Kopf ist %1 eines Tokens und in Gleitkomma: quantisieren.</translation>
    </message>
    <message>
        <source>Copying caches is %1 of a token: operators that append to caches of fixed size (GroupQueryAttention) spare it.</source>
        <translation>Das Kopieren der Caches ist %1 eines Tokens: Operatoren, die an Caches fester Größe anhängen (GroupQueryAttention), sparen es.</translation>
    </message>
    <message>
        <source>%1 of a token passes between the nodes, which compute little each. Levels below all leave more of them.</source>
        <translation>%1 eines Tokens vergeht zwischen den Knoten, die je wenig rechnen. Stufen unterhalb von „all“ lassen mehr von ihnen übrig.</translation>
    </message>
    <message>
        <source>Attention is %1 of a token at %2 tokens of context, and grows with it.</source>
        <translation>Attention ist %1 eines Tokens bei %2 Tokens Kontext und wächst mit ihm.</translation>
    </message>
    <message>
        <source>Products with weights are %1 of a token: fewer bits a weight make them faster.</source>
        <translation>Produkte mit Gewichten sind %1 eines Tokens: weniger Bits je Gewicht machen sie schneller.</translation>
    </message>
    <message>
        <source>No part of a token stands out.</source>
        <translation>Kein Teil eines Tokens sticht hervor.</translation>
    </message>
    <message>
        <source>Caches of fixed size take the room for %1 tokens from the beginning.</source>
        <translation>Caches fester Größe belegen von Anfang an den Platz für %1 Tokens.</translation>
    </message>
    <message>
        <source>Each token makes the caches %1 larger.</source>
        <translation>Jeder Token macht die Caches um %1 größer.</translation>
    </message>
    <message>
        <source>Tokens per second: %1 at %2 tokens of context, %3 at %4.</source>
        <translation>Tokens je Sekunde: %1 bei %2 Tokens Kontext, %3 bei %4.</translation>
    </message>
    <message>
        <source>It costs a divergence of %1 nats; %2 of the tokens change.</source>
        <translation>Das kostet eine Divergenz von %1 Nat; %2 der Token ändern sich.</translation>
    </message>
    <message>
        <source>%1, caches in float16</source>
        <translation>%1, Caches in float16</translation>
    </message>
    <message>
        <source>%1: %2 tokens per second at %3 tokens of context.</source>
        <translation>%1: %2 Token je Sekunde bei %3 Token Kontext.</translation>
    </message>
    <message>
        <source>%1 is the fastest: %2 tokens per second at %3 tokens of context.</source>
        <translation>%1 ist am schnellsten: %2 Token je Sekunde bei %3 Token Kontext.</translation>
    </message>
    <message>
        <source>%1 is the fastest: %2 tokens per second at %3 tokens of context, %4 times as fast as %5.</source>
        <translation>%1 ist am schnellsten: %2 Token je Sekunde bei %3 Token Kontext, %4-mal so schnell wie %5.</translation>
    </message>
    <message>
        <source>room in caches for %1 tokens</source>
        <translation>Platz in den Caches für %1 Token</translation>
    </message>
    <message>
        <source>the first %1 tokens of %2</source>
        <translation>die ersten %1 Token von %2</translation>
    </message>
    <message>
        <source>%1, threads: %2</source>
        <translation>%1, Threads: %2</translation>
    </message>
    <message>
        <source>could not run: %1</source>
        <translation>lief nicht: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n variant(s) could not run.</source>
        <translation>
            <numerusform>%n Variante lief nicht.</numerusform>
            <numerusform>%n Varianten liefen nicht.</numerusform>
        </translation>
    </message>
    <message>
        <source>No variant is faster than %1 beyond noise: %2 tokens per second at %3 tokens of context.</source>
        <translation>Keine Variante ist über das Rauschen hinaus schneller als %1: %2 Tokens je Sekunde bei %3 Tokens Kontext.</translation>
    </message>
</context>
<context>
    <name>GraphOutline</name>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation>%1 Eingaben</translation>
    </message>
    <message>
        <source>%1 outputs</source>
        <translation>%1 Ausgaben</translation>
    </message>
    <message>
        <source>%1 × block</source>
        <translation>%1 × Block</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>Block %1</translation>
    </message>
</context>
<context>
    <name>GuardPanel</name>
    <message>
        <source>✓ agrees</source>
        <translation>✓ stimmt überein</translation>
    </message>
    <message>
        <source>✕ differs</source>
        <translation>✕ weicht ab</translation>
    </message>
    <message>
        <source>Of the largest magnitude, %1</source>
        <translation>Vom größten Betrag, %1</translation>
    </message>
</context>
<context>
    <name>InspectorPanel</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… und %n weiterer</numerusform>
            <numerusform>… und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>None.</source>
        <translation>Keine.</translation>
    </message>
</context>
<context>
    <name>KeyMap</name>
    <message>
        <source>This key cannot be changed.</source>
        <translation>Diese Taste lässt sich nicht ändern.</translation>
    </message>
    <message>
        <source>%1 is left to fields, tables and menus: choose a key with Ctrl, or one of F1 to F12.</source>
        <translation>%1 bleibt Feldern, Tabellen und Menüs: Wählen Sie eine Taste mit Strg oder eine von F1 bis F12.</translation>
    </message>
    <message>
        <source>%1 is the key of “%2”: give that another one first.</source>
        <translation>%1 ist die Taste von „%2“: Geben Sie diesem Befehl zuerst eine andere.</translation>
    </message>
</context>
<context>
    <name>MachineButton</name>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
</context>
<context>
    <name>MemoryPicture</name>
    <message>
        <source>%1, only in step %2</source>
        <translation>%1, nur in Schritt %2</translation>
    </message>
    <message>
        <source>written by %1 in step %2, kept for the caller: a graph output</source>
        <translation>geschrieben von %1 in Schritt %2, für den Aufrufer behalten: eine Graphausgabe</translation>
    </message>
    <message>
        <source>written by %1 in step %2, kept alive until %3 in step %4</source>
        <translation>geschrieben von %1 in Schritt %2, lebt bis %3 in Schritt %4</translation>
    </message>
    <message>
        <source>; lies in the bytes of %1</source>
        <translation>; liegt in den Bytes von %1</translation>
    </message>
</context>
<context>
    <name>MemoryWords</name>
    <message>
        <source>, fused</source>
        <translation>, verschmolzen</translation>
    </message>
    <message>
        <source>only for %1 (%2) %3 steps later</source>
        <translation>nur für %1 (%2) %3 Schritte später</translation>
    </message>
    <message>
        <source>, alive %1</source>
        <translation>, am Leben %1</translation>
    </message>
    <message>
        <source>, one %1</source>
        <translation>, davon einer %1</translation>
    </message>
    <message>
        <source>, one of %1 %2</source>
        <translation>, einer vom Typ %1 %2</translation>
    </message>
    <message>
        <source>Nothing runs: the model has no nodes.</source>
        <translation>Nichts läuft: Das Modell hat keine Knoten.</translation>
    </message>
    <message>
        <source>No activation has a size that is known before it runs.</source>
        <translation>Keine Aktivierung hat eine Größe, die vor dem Lauf bekannt ist.</translation>
    </message>
    <message>
        <source>%1 tensors alive, the largest %2 (%3)</source>
        <translation>%1 Tensoren am Leben, der größte %2 (%3)</translation>
    </message>
    <message>
        <source>its working memory of %1</source>
        <translation>sein Arbeitsspeicher von %1</translation>
    </message>
    <message>
        <source>1 tensor of %1 alive</source>
        <translation>1 Tensor vom Typ %1 am Leben</translation>
    </message>
    <message>
        <source>%1 tensors of %2 alive</source>
        <translation>%1 Tensoren vom Typ %2 am Leben</translation>
    </message>
    <message>
        <source>beside 1 other</source>
        <translation>neben 1 anderen</translation>
    </message>
    <message>
        <source>beside %1 others</source>
        <translation>neben %1 anderen</translation>
    </message>
    <message>
        <source>subgraphs of %1</source>
        <translation>Untergraphen von %1</translation>
    </message>
    <message>
        <source>working memory of %1</source>
        <translation>Arbeitsspeicher von %1</translation>
    </message>
    <message>
        <source>Activations planned: %1 at node %2 (%3):</source>
        <translation>Geplante Aktivierungen: %1 bei Knoten %2 (%3):</translation>
    </message>
    <message>
        <source>Beside it %1 of weights are read in the file&apos;s own pages.</source>
        <translation>Daneben werden %1 Gewichte in den Seiten der Datei selbst gelesen.</translation>
    </message>
    <message>
        <source>Process: %1 while it runs.</source>
        <translation>Prozess: %1, während er läuft.</translation>
    </message>
    <message>
        <source>The process is made of: program %1, graph and plan %2, weights %3, packed copies %4, activations as written %5, inputs %6.</source>
        <translation>Der Prozess besteht aus: Programm %1, Graph und Plan %2, Gewichte %3, gepackte Kopien %4, beschriebene Aktivierungen %5, Eingaben %6.</translation>
    </message>
    <message>
        <source>The first run, which has no plan yet, writes more than later ones.</source>
        <translation>Der erste Lauf, der noch keinen Plan hat, beschreibt mehr als spätere.</translation>
    </message>
</context>
<context>
    <name>ModelDifference</name>
    <message>
        <source>Nodes: %1 before, %2 now (%3).</source>
        <translation>Knoten: vorher %1, jetzt %2 (%3).</translation>
    </message>
    <message>
        <source>Weights: %1 before, %2 now.</source>
        <translation>Gewichte: vorher %1, jetzt %2.</translation>
    </message>
    <message>
        <source>Operators, size of the weights, inputs and outputs are as before.</source>
        <translation>Operatoren, Größe der Gewichte, Eingaben und Ausgaben sind wie vorher.</translation>
    </message>
    <message>
        <source>The weights have other types.</source>
        <translation>Die Gewichte haben andere Typen.</translation>
    </message>
    <message>
        <source>The inputs are different.</source>
        <translation>Die Eingaben sind andere.</translation>
    </message>
    <message>
        <source>The outputs are different.</source>
        <translation>Die Ausgaben sind andere.</translation>
    </message>
</context>
<context>
    <name>NearMissPanel</name>
    <message numerus="yes">
        <source>%n condition(s) or operator(s) are missing</source>
        <translation>
            <numerusform>%n Bedingung oder Operator fehlt</numerusform>
            <numerusform>%n Bedingungen oder Operatoren fehlen</numerusform>
        </translation>
    </message>
    <message>
        <source>The part of a run&apos;s time that the nodes matched so far take: measured where the variant ran, else estimated from arithmetic and bytes</source>
        <translation>Der Anteil an der Laufzeit, den die bisher passenden Knoten haben: gemessen, wo die Variante lief, sonst aus Rechenaufwand und Bytes geschätzt</translation>
    </message>
</context>
<context>
    <name>OperatorFamily</name>
    <message>
        <source>Other</source>
        <translation>Sonstige</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>Faltung</translation>
    </message>
    <message>
        <source>Matrix product</source>
        <translation>Matrixprodukt</translation>
    </message>
    <message>
        <source>Normalization</source>
        <translation>Normalisierung</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>Arithmetik</translation>
    </message>
    <message>
        <source>Reduction and pooling</source>
        <translation>Reduktion und Pooling</translation>
    </message>
    <message>
        <source>Data movement</source>
        <translation>Datenbewegung</translation>
    </message>
    <message>
        <source>Recurrent and signal</source>
        <translation>Rekurrenz und Signal</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>Quantisierung</translation>
    </message>
    <message>
        <source>Control flow</source>
        <translation>Kontrollfluss</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>Optimieren</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>Abstimmen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Checklist</source>
        <translation>Checkliste</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>Quantisieren</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>Erzeugen</translation>
    </message>
</context>
<context>
    <name>PictureExport</name>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>Das Bild liegt in der Zwischenablage.</translation>
    </message>
    <message>
        <source>The picture could not be made.</source>
        <translation>Das Bild konnte nicht erzeugt werden.</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG-Zeichnung (*.svg)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>Nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Save picture …</source>
        <translation>Bild speichern …</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF-Dokument (*.pdf)</translation>
    </message>
</context>
<context>
    <name>PlaceWords</name>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Stelle</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>Namen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>File of the first part</source>
        <translation>Datei des ersten Teils</translation>
    </message>
    <message>
        <source>File of the second part</source>
        <translation>Datei des zweiten Teils</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Attribut</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Zu</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Opset</source>
        <translation>Opset</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Value or file</source>
        <translation>Wert oder Datei</translation>
    </message>
    <message>
        <source>Order of axes</source>
        <translation>Reihenfolge der Achsen</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>Achse</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>Dimension</translation>
    </message>
    <message>
        <source>Prefix</source>
        <translation>Vorsilbe</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Boxes</source>
        <translation>Rahmen</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>Bewertungen</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>Least score</source>
        <translation>Kleinste Bewertung</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>Rumpf</translation>
    </message>
    <message>
        <source>Edit of the body</source>
        <translation>Bearbeitung des Rumpfs</translation>
    </message>
    <message>
        <source>File of labels</source>
        <translation>Datei mit Klassennamen</translation>
    </message>
    <message>
        <source>File of words</source>
        <translation>Datei mit Wörtern</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Separator</source>
        <translation>Trennzeichen</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>Neuer Name</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Konstante</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>Zweig</translation>
    </message>
    <message>
        <source>Without a default</source>
        <translation>Ohne Standardwert</translation>
    </message>
    <message>
        <source>Word for padding</source>
        <translation>Wort zum Auffüllen</translation>
    </message>
    <message>
        <source>In lower case</source>
        <translation>In Kleinbuchstaben</translation>
    </message>
    <message>
        <source>Word for unknown ones</source>
        <translation>Wort für unbekannte</translation>
    </message>
</context>
<context>
    <name>PluginDetails</name>
    <message>
        <source>usable</source>
        <translation>verwendbar</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>From version</source>
        <translation>Ab Version</translation>
    </message>
    <message>
        <source>What it computes</source>
        <translation>Was er berechnet</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Provider %1</source>
        <translation>Provider %1</translation>
    </message>
    <message>
        <source>Engine %1 %2</source>
        <translation>Engine %1 %2</translation>
    </message>
    <message>
        <source>It has no device: %1</source>
        <translation>Er hat kein Gerät: %1</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>May be</source>
        <translation>Mögliche Werte</translation>
    </message>
    <message>
        <source>Unless given</source>
        <translation>Ohne Angabe</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>It cannot be used: %1</source>
        <translation>Nicht verwendbar: %1</translation>
    </message>
    <message>
        <source>Licence %1, made for plugin interface %2</source>
        <translation>Lizenz %1, für Plugin-Schnittstelle %2</translation>
    </message>
    <message>
        <source>The package holds no C library: it runs in a Python process.</source>
        <translation>Das Paket enthält keine C-Bibliothek: Es läuft in einem Python-Prozess.</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <source>✕ Error</source>
        <translation>✕ Fehler</translation>
    </message>
    <message>
        <source>▲ Warning</source>
        <translation>▲ Warnung</translation>
    </message>
    <message>
        <source>• Note</source>
        <translation>• Hinweis</translation>
    </message>
    <message>
        <source>input &quot;%1&quot;</source>
        <translation>Eingabe „%1“</translation>
    </message>
    <message>
        <source>The type is not declared, so no input can be generated for it.</source>
        <translation>Der Typ ist nicht angegeben, also lässt sich keine Eingabe dafür erzeugen.</translation>
    </message>
    <message>
        <source>profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>%1 events did not fit into the recording; totals are too low.</source>
        <translation>%1 Ereignisse passten nicht in die Aufzeichnung; die Summen sind zu niedrig.</translation>
    </message>
    <message>
        <source>One run only: its times say nothing about the spread.</source>
        <translation>Nur ein Lauf: Seine Zeiten sagen nichts über die Streuung.</translation>
    </message>
    <message>
        <source>%1 more are not listed.</source>
        <translation>%1 weitere sind nicht aufgeführt.</translation>
    </message>
    <message>
        <source>portability</source>
        <translation>Portierbarkeit</translation>
    </message>
</context>
<context>
    <name>Project</name>
    <message>
        <source>it has %1 bytes now and had %2 when the project was saved</source>
        <translation>sie hat jetzt %1 Bytes und hatte %2, als das Projekt gespeichert wurde</translation>
    </message>
</context>
<context>
    <name>QKeySequenceEdit</name>
    <message>
        <source>Press shortcut</source>
        <translation>Taste drücken</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
</context>
<context>
    <name>Quantity</name>
    <message>
        <source>equal</source>
        <translation>gleich</translation>
    </message>
</context>
<context>
    <name>Quantize</name>
    <message>
        <source>whole ranges</source>
        <translation>ganze Bereiche</translation>
    </message>
    <message>
        <source>ranges by percentile</source>
        <translation>Bereiche nach Perzentil</translation>
    </message>
    <message>
        <source>ranges by entropy</source>
        <translation>Bereiche nach Entropie</translation>
    </message>
    <message>
        <source>ranges %1 % wider</source>
        <translation>Bereiche um %1 % weiter</translation>
    </message>
    <message>
        <source>no zero points of weights</source>
        <translation>keine Nullpunkte der Gewichte</translation>
    </message>
    <message>
        <source>symmetric blocks</source>
        <translation>symmetrische Blöcke</translation>
    </message>
    <message>
        <source>fitted blocks</source>
        <translation>angepasste Blöcke</translation>
    </message>
    <message>
        <source>rotated</source>
        <translation>gedreht</translation>
    </message>
    <message>
        <source>at most %1 bits a weight</source>
        <translation>höchstens %1 Bit je Gewicht</translation>
    </message>
    <message>
        <source>one scale per weight</source>
        <translation>eine Skala je Gewicht</translation>
    </message>
    <message>
        <source>7-bit weights</source>
        <translation>7-Bit-Gewichte</translation>
    </message>
    <message>
        <source>equalized</source>
        <translation>angeglichen</translation>
    </message>
    <message>
        <source>smoothed %1</source>
        <translation>geglättet %1</translation>
    </message>
    <message>
        <source>%1 float</source>
        <translation>%1 in Gleitkomma</translation>
    </message>
    <message>
        <source>%1 kept float</source>
        <translation>%1 in Gleitkomma behalten</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>schlicht</translation>
    </message>
    <message>
        <source>int8 dynamic</source>
        <translation>int8 dynamisch</translation>
    </message>
    <message>
        <source>int8 static</source>
        <translation>int8 statisch</translation>
    </message>
    <message>
        <source>int%1 weights</source>
        <translation>int%1-Gewichte</translation>
    </message>
    <message>
        <source>compensated</source>
        <translation>kompensiert</translation>
    </message>
    <message>
        <source>int4 static</source>
        <translation>int4 statisch</translation>
    </message>
    <message>
        <source>float16</source>
        <translation>float16</translation>
    </message>
    <message>
        <source>bfloat16 weights</source>
        <translation>bfloat16-Gewichte</translation>
    </message>
    <message>
        <source>float8 weights</source>
        <translation>float8-Gewichte</translation>
    </message>
    <message>
        <source>QLinear operators</source>
        <translation>QLinear-Operatoren</translation>
    </message>
    <message>
        <source>unsigned weights</source>
        <translation>vorzeichenlose Gewichte</translation>
    </message>
    <message>
        <source>placed as by ONNX Runtime</source>
        <translation>platziert wie bei ONNX Runtime</translation>
    </message>
    <message>
        <source>smoothed by input</source>
        <translation>je Eingang geglättet</translation>
    </message>
    <message>
        <source>weights of %1 alone</source>
        <translation>nur Gewichte von %1</translation>
    </message>
    <message>
        <source>%1 with weights alone</source>
        <translation>%1 nur mit Gewichten</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>Gewichte %1</translation>
    </message>
    <message>
        <source>%1 types of weights</source>
        <translation>%1 Gewichtstypen</translation>
    </message>
    <message>
        <source>masks as they are</source>
        <translation>Masken unverändert</translation>
    </message>
</context>
<context>
    <name>QuantizePage</name>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Tries dynamic and static recipes and keeps the best</source>
        <translation>Probiert dynamische und statische Rezepte und behält das beste</translation>
    </message>
    <message>
        <source>Weights become 8-bit integers, ranges of activations are taken in each run; good for transformers and LSTM</source>
        <translation>Gewichte werden 8-Bit-Ganzzahlen, Bereiche der Aktivierungen werden in jedem Lauf bestimmt; gut für Transformer und LSTM</translation>
    </message>
    <message>
        <source>Weights and activations become 8-bit integers, with ranges from the samples; fastest for convolutions</source>
        <translation>Gewichte und Aktivierungen werden 8-Bit-Ganzzahlen mit Bereichen aus den Beispielen; am schnellsten bei Faltungen</translation>
    </message>
    <message>
        <source>Only weights become 8-bit integers in blocks, products stay float; smaller and nearly exact</source>
        <translation>Nur Gewichte werden 8-Bit-Ganzzahlen in Blöcken, Produkte bleiben Gleitkomma; kleiner und fast genau</translation>
    </message>
    <message>
        <source>Only weights become 4-bit integers in blocks, products stay float; smallest</source>
        <translation>Nur Gewichte werden 4-Bit-Ganzzahlen in Blöcken, Produkte bleiben Gleitkomma; am kleinsten</translation>
    </message>
    <message>
        <source>Most accurate</source>
        <translation>Am genauesten</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>Am schnellsten</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>Am kleinsten</translation>
    </message>
    <message>
        <source>The highest SQNR among the recipes that are not slower than the float model</source>
        <translation>Der höchste SQNR unter den Rezepten, die nicht langsamer sind als das Gleitkommamodell</translation>
    </message>
    <message>
        <source>The shortest time among the recipes that reach the floor</source>
        <translation>Die kürzeste Zeit unter den Rezepten, die die Untergrenze erreichen</translation>
    </message>
    <message>
        <source>The fewest bytes among the recipes that reach the floor</source>
        <translation>Die wenigsten Bytes unter den Rezepten, die die Untergrenze erreichen</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>%1 faster</source>
        <translation>%1 schneller</translation>
    </message>
    <message>
        <source>%1 slower</source>
        <translation>%1 langsamer</translation>
    </message>
    <message>
        <source>no faster beyond noise</source>
        <translation>nicht schneller als das Rauschen</translation>
    </message>
    <message>
        <source>%1 smaller</source>
        <translation>%1 kleiner</translation>
    </message>
    <message>
        <source>no smaller</source>
        <translation>nicht kleiner</translation>
    </message>
    <message>
        <source>outputs equal</source>
        <translation>Ausgaben gleich</translation>
    </message>
    <message>
        <source>Recipe: %1</source>
        <translation>Rezept: %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n node(s) quantized</source>
        <translation>
            <numerusform>%1 von %n Knoten quantisiert</numerusform>
            <numerusform>%1 von %n Knoten quantisiert</numerusform>
        </translation>
    </message>
    <message>
        <source>constants in the file %1 → %2</source>
        <translation>Konstanten in der Datei %1 → %2</translation>
    </message>
    <message>
        <source>%1 → %2 per run</source>
        <translation>%1 → %2 je Lauf</translation>
    </message>
    <message>
        <source>%1 samples gave ranges, %2 others judged</source>
        <translation>%1 Beispiele gaben Bereiche, %2 andere urteilten</translation>
    </message>
    <message>
        <source>SQNR is the mean of %1 such splits</source>
        <translation>SQNR ist das Mittel aus %1 solchen Aufteilungen</translation>
    </message>
    <message>
        <source>%1 on 1 generated sample</source>
        <translation>%1 an 1 erzeugten Beispiel</translation>
    </message>
    <message>
        <source>%1 on 1 sample</source>
        <translation>%1 an 1 Beispiel</translation>
    </message>
    <message>
        <source>%1 on %2 generated samples</source>
        <translation>%1 an %2 erzeugten Beispielen</translation>
    </message>
    <message>
        <source>%1 on %2 samples</source>
        <translation>%1 an %2 Beispielen</translation>
    </message>
    <message>
        <source>int8 dynamic</source>
        <translation>int8 dynamisch</translation>
    </message>
    <message>
        <source>int8 static</source>
        <translation>int8 statisch</translation>
    </message>
    <message>
        <source>int8 weights</source>
        <translation>int8-Gewichte</translation>
    </message>
    <message>
        <source>int4 weights</source>
        <translation>int4-Gewichte</translation>
    </message>
    <message>
        <source>int8 static, QLinear</source>
        <translation>int8 statisch, QLinear</translation>
    </message>
    <message>
        <source>float16</source>
        <translation>float16</translation>
    </message>
    <message>
        <source>bfloat16 weights</source>
        <translation>bfloat16-Gewichte</translation>
    </message>
    <message>
        <source>float8 weights</source>
        <translation>float8-Gewichte</translation>
    </message>
    <message>
        <source>As int8 static, written as QLinearConv, QLinearMatMul and QGemm in place of pairs of QuantizeLinear and DequantizeLinear</source>
        <translation>Wie int8 statisch, geschrieben als QLinearConv, QLinearMatMul und QGemm statt als Paare von QuantizeLinear und DequantizeLinear</translation>
    </message>
    <message>
        <source>Everything computes in float16 but nodes whose values it has no room for; half the size</source>
        <translation>Alles rechnet in float16 außer Knoten, deren Werte darin keinen Platz haben; halbe Größe</translation>
    </message>
    <message>
        <source>Weights are stored as bfloat16, everything is computed in float32; half the size</source>
        <translation>Gewichte werden als bfloat16 gespeichert, gerechnet wird in float32; halbe Größe</translation>
    </message>
    <message>
        <source>Weights are stored as 8-bit floats (E4M3) with a scale per channel, everything is computed in float32</source>
        <translation>Gewichte werden als 8-Bit-Gleitkommazahlen (E4M3) mit einer Skala je Kanal gespeichert, gerechnet wird in float32</translation>
    </message>
    <message>
        <source>%1 % (%2 – %3)</source>
        <translation>%1 % (%2 – %3)</translation>
    </message>
    <message>
        <source>%1 of %2 answers changed: %3</source>
        <translation>%1 von %2 Antworten geändert: %3</translation>
    </message>
    <message>
        <source>right answers %1 → %2</source>
        <translation>richtige Antworten %1 → %2</translation>
    </message>
    <message>
        <source>1 sample gave ranges, %1 others judged</source>
        <translation>1 Beispiel gab die Bereiche, %1 andere urteilten</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>very good</source>
        <translation>sehr gut</translation>
    </message>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>visibly off</source>
        <translation>sichtbar daneben</translation>
    </message>
    <message>
        <source>poor</source>
        <translation>schlecht</translation>
    </message>
    <message>
        <source>%1 (%2 – %3)</source>
        <translation>%1 (%2 – %3)</translation>
    </message>
    <message>
        <source>SQNR %1, %2</source>
        <translation>SQNR %1, %2</translation>
    </message>
    <message>
        <source>not fit for use: %1</source>
        <translation>nicht zu gebrauchen: %1</translation>
    </message>
    <message>
        <source>SQNR %1</source>
        <translation>SQNR %1</translation>
    </message>
    <message>
        <source>%1, %2 of the float model</source>
        <translation>%1, %2 des Modells in Gleitkomma</translation>
    </message>
    <message>
        <source>it is slower than the float model</source>
        <translation>es ist langsamer als das Modell in Gleitkomma</translation>
    </message>
    <message>
        <source>it saves nothing</source>
        <translation>es spart nichts</translation>
    </message>
    <message>
        <source>it is larger, and the samples do not tell the two apart</source>
        <translation>es ist größer, und die Beispiele unterscheiden die beiden nicht</translation>
    </message>
    <message>
        <source>%1 has SQNR %2, but %3.</source>
        <translation>%1 hat SQNR %2, aber %3.</translation>
    </message>
</context>
<context>
    <name>Recipe</name>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>, nodes fused</source>
        <translation>, Knoten verschmolzen</translation>
    </message>
    <message>
        <source>, one kernel per node</source>
        <translation>, ein Kernel je Knoten</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Basic</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>Extended</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source> without </source>
        <translation> ohne </translation>
    </message>
    <message>
        <source> without %1 passes</source>
        <translation> ohne %1 Pässe</translation>
    </message>
    <message>
        <source> with </source>
        <translation> mit </translation>
    </message>
    <message>
        <source> with %1 more passes</source>
        <translation> mit %1 weiteren Pässen</translation>
    </message>
    <message numerus="yes">
        <source>, first %n rewrite(s)</source>
        <translation>
            <numerusform>, erste Umformung</numerusform>
            <numerusform>, erste %n Umformungen</numerusform>
        </translation>
    </message>
    <message>
        <source>ONNX Runtime with %1</source>
        <translation>ONNX Runtime mit %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>Disabled</source>
        <translation>Deaktiviert</translation>
    </message>
    <message>
        <source>%1, run at level %2</source>
        <translation>%1, ausgeführt auf Stufe %2</translation>
    </message>
    <message>
        <source>CPU, weights in %1</source>
        <translation>CPU, Gewichte in %1</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>bearbeitet</translation>
    </message>
    <message>
        <source>, rules of %1</source>
        <translation>, Regeln aus %1</translation>
    </message>
    <message>
        <source>, rules of %1 files</source>
        <translation>, Regeln aus %1 Dateien</translation>
    </message>
    <message>
        <source>edited: %1</source>
        <translation>bearbeitet: %1</translation>
    </message>
    <message>
        <source>edited: %1 (+%2)</source>
        <translation>bearbeitet: %1 (+%2)</translation>
    </message>
    <message>
        <source>then edited: %1</source>
        <translation>dann bearbeitet: %1</translation>
    </message>
    <message>
        <source>then edited: %1 (+%2)</source>
        <translation>dann bearbeitet: %1 (+%2)</translation>
    </message>
</context>
<context>
    <name>RewritePicture</name>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
</context>
<context>
    <name>RewriteWords</name>
    <message>
        <source>1 attention block fused</source>
        <translation>1 Attention-Block verschmolzen</translation>
    </message>
    <message>
        <source>%1 attention blocks fused</source>
        <translation>%1 Attention-Blöcke verschmolzen</translation>
    </message>
    <message>
        <source>1 residual norm fused</source>
        <translation>1 Residual-Norm verschmolzen</translation>
    </message>
    <message>
        <source>%1 residual norms fused</source>
        <translation>%1 Residual-Normen verschmolzen</translation>
    </message>
    <message>
        <source>1 normalization fused</source>
        <translation>1 Normalisierung verschmolzen</translation>
    </message>
    <message>
        <source>%1 normalizations fused</source>
        <translation>%1 Normalisierungen verschmolzen</translation>
    </message>
    <message>
        <source>1 activation fused</source>
        <translation>1 Aktivierung verschmolzen</translation>
    </message>
    <message>
        <source>%1 activations fused</source>
        <translation>%1 Aktivierungen verschmolzen</translation>
    </message>
    <message>
        <source>1 embedding fused</source>
        <translation>1 Einbettung verschmolzen</translation>
    </message>
    <message>
        <source>%1 embeddings fused</source>
        <translation>%1 Einbettungen verschmolzen</translation>
    </message>
    <message>
        <source>1 scale or batch norm folded into weights</source>
        <translation>1 Faktor oder Batch-Norm in Gewichte gefaltet</translation>
    </message>
    <message>
        <source>%1 scales and batch norms folded into weights</source>
        <translation>%1 Faktoren und Batch-Normen in Gewichte gefaltet</translation>
    </message>
    <message>
        <source>1 activation or sum taken into its product</source>
        <translation>1 Aktivierung oder Summe ins Produkt übernommen</translation>
    </message>
    <message>
        <source>%1 activations and sums taken into products</source>
        <translation>%1 Aktivierungen und Summen in Produkte übernommen</translation>
    </message>
    <message>
        <source>1 quantized operator made</source>
        <translation>1 quantisierter Operator gebildet</translation>
    </message>
    <message>
        <source>%1 quantized operators made</source>
        <translation>%1 quantisierte Operatoren gebildet</translation>
    </message>
    <message>
        <source>1 change of layout</source>
        <translation>1 Änderung der Anordnung</translation>
    </message>
    <message>
        <source>%1 changes of layout</source>
        <translation>%1 Änderungen der Anordnung</translation>
    </message>
    <message>
        <source>1 constant folded</source>
        <translation>1 Konstante gefaltet</translation>
    </message>
    <message>
        <source>%1 constants folded</source>
        <translation>%1 Konstanten gefaltet</translation>
    </message>
    <message>
        <source>1 reshape or transpose merged</source>
        <translation>1 Reshape oder Transpose vereinigt</translation>
    </message>
    <message>
        <source>%1 reshapes and transposes merged</source>
        <translation>%1 Reshapes und Transposes vereinigt</translation>
    </message>
    <message>
        <source>1 idle node removed</source>
        <translation>1 wirkungsloser Knoten entfernt</translation>
    </message>
    <message>
        <source>%1 idle nodes removed</source>
        <translation>%1 wirkungslose Knoten entfernt</translation>
    </message>
    <message>
        <source>1 other rewrite</source>
        <translation>1 weitere Umformung</translation>
    </message>
    <message>
        <source>%1 other rewrites</source>
        <translation>%1 weitere Umformungen</translation>
    </message>
    <message>
        <source>1 edit</source>
        <translation>1 Bearbeitung</translation>
    </message>
    <message>
        <source>%1 edits</source>
        <translation>%1 Bearbeitungen</translation>
    </message>
    <message>
        <source>1 rewrite by your rules</source>
        <translation>1 Umformung durch eigene Regeln</translation>
    </message>
    <message>
        <source>%1 rewrites by your rules</source>
        <translation>%1 Umformungen durch eigene Regeln</translation>
    </message>
</context>
<context>
    <name>RowHelp</name>
    <message>
        <source>a level that fuses nodes leaves fewer kernels to start.</source>
        <translation>eine Stufe, die Knoten verschmilzt, lässt weniger Kernel zu starten übrig.</translation>
    </message>
    <message>
        <source>a larger batch shares it among more inferences.</source>
        <translation>ein größerer Batch verteilt ihn auf mehr Inferenzen.</translation>
    </message>
    <message>
        <source>%1 runs on the plain reference kernel: %2.</source>
        <translation>%1 läuft auf dem einfachen Referenzkernel: %2.</translation>
    </message>
    <message>
        <source>%1 almost applied: %2.</source>
        <translation>%1 hätte beinahe gegriffen: %2.</translation>
    </message>
    <message>
        <source>weights in 8 bits may shorten it; measuring tells by how much.</source>
        <translation>Gewichte in 8 Bit verkürzen es vielleicht; um wie viel, sagt eine Messung.</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>Optimieren</translation>
    </message>
    <message>
        <source>Measure batches</source>
        <translation>Batches messen</translation>
    </message>
    <message>
        <source>Show in the graph</source>
        <translation>Im Graphen zeigen</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>Quantisieren</translation>
    </message>
    <message>
        <source>Session overhead</source>
        <translation>Sitzungsaufwand</translation>
    </message>
    <message>
        <source>At most %1 times as fast.</source>
        <translation>Höchstens %1-mal so schnell.</translation>
    </message>
</context>
<context>
    <name>RunConditions</name>
    <message>
        <source>generated inputs</source>
        <translation>erzeugten Eingaben</translation>
    </message>
    <message>
        <source>your text</source>
        <translation>Ihrem Text</translation>
    </message>
    <message>
        <source>your inputs (%1 files)</source>
        <translation>Ihren Eingaben (%1 Dateien)</translation>
    </message>
    <message>
        <source>your inputs (%1)</source>
        <translation>Ihren Eingaben (%1)</translation>
    </message>
    <message>
        <source>level %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>threads: %1</source>
        <translation>Threads: %1</translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <source>Multi-layer perceptron</source>
        <translation>Mehrlagiges Perzeptron</translation>
    </message>
    <message>
        <source>Three fully connected layers on 784 inputs; the smallest model to try things on.</source>
        <translation>Drei voll verbundene Schichten auf 784 Eingaben; das kleinste Modell zum Ausprobieren.</translation>
    </message>
    <message>
        <source>Digit classifier on 28 x 28 images: two convolutions, three linear layers.</source>
        <translation>Erkennt Ziffern auf Bildern von 28 x 28: zwei Faltungen, drei lineare Schichten.</translation>
    </message>
    <message>
        <source>Image classifier of 1.2 million parameters built from squeeze and expand convolutions.</source>
        <translation>Bildklassifizierer mit 1,2 Millionen Parametern aus verengenden und weitenden Faltungen.</translation>
    </message>
    <message>
        <source>Image classifier with residual blocks; 11.7 million parameters.</source>
        <translation>Bildklassifizierer aus Residualblöcken; 11,7 Millionen Parameter.</translation>
    </message>
    <message>
        <source>The usual yardstick of image classifiers: bottleneck blocks, 25.6 million parameters.</source>
        <translation>Der übliche Maßstab unter den Bildklassifizierern: Engpassblöcke, 25,6 Millionen Parameter.</translation>
    </message>
    <message>
        <source>Image classifier for phones: depthwise convolutions in inverted residual blocks.</source>
        <translation>Bildklassifizierer für Telefone: kanalweise Faltungen in umgekehrten Residualblöcken.</translation>
    </message>
    <message>
        <source>Image classifier that mixes channels by Reshape and Transpose.</source>
        <translation>Bildklassifizierer, der Kanäle mit Reshape und Transpose mischt.</translation>
    </message>
    <message>
        <source>Segmentation network with skip connections, Concat and ConvTranspose.</source>
        <translation>Segmentierungsnetz mit Querverbindungen, Concat und ConvTranspose.</translation>
    </message>
    <message>
        <source>Text encoder of 2 layers with symbolic batch and sequence; unfused as PyTorch exports it.</source>
        <translation>Textkodierer mit 2 Schichten, Batch und Sequenz frei; unverschmolzen, wie PyTorch ihn exportiert.</translation>
    </message>
    <message>
        <source>Text encoder of 12 layers, 110 million parameters; unfused LayerNorm, GELU and attention.</source>
        <translation>Textkodierer mit 12 Schichten, 110 Millionen Parametern; LayerNorm, GELU und Attention unverschmolzen.</translation>
    </message>
    <message>
        <source>Text decoder of 12 layers with key/value cache inputs and outputs.</source>
        <translation>Textdekodierer mit 12 Schichten; Schlüssel und Werte der Vergangenheit als Ein- und Ausgaben.</translation>
    </message>
    <message>
        <source>Llama, 160 M</source>
        <translation>Llama, 160 M</translation>
    </message>
    <message>
        <source>Text decoder of 12 layers with grouped queries and rotary positions, as onnxruntime-genai writes it.</source>
        <translation>Textdekodierer mit 12 Schichten, gruppierten Abfragen und rotierenden Positionen, wie onnxruntime-genai ihn schreibt.</translation>
    </message>
    <message>
        <source>Llama, 1.1 B</source>
        <translation>Llama, 1,1 Mrd.</translation>
    </message>
    <message>
        <source>Text decoder of 22 layers, 1.1 billion parameters: a file of 4.4 GB, as onnxruntime-genai writes it.</source>
        <translation>Textdekodierer mit 22 Schichten und 1,1 Milliarden Parametern: eine Datei von 4,4 GB, wie onnxruntime-genai sie schreibt.</translation>
    </message>
    <message>
        <source>Bidirectional LSTM tagger</source>
        <translation>Bidirektionaler LSTM-Tagger</translation>
    </message>
    <message>
        <source>Embedding, two bidirectional LSTM layers and a linear layer over sequences of any length.</source>
        <translation>Einbettung, zwei bidirektionale LSTM-Schichten und eine lineare über Sequenzen beliebiger Länge.</translation>
    </message>
</context>
<context>
    <name>SignedText</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
</context>
<context>
    <name>TableExport</name>
    <message>
        <source>Export as CSV</source>
        <translation>Als CSV exportieren</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>Nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Export as CSV …</source>
        <translation>Als CSV exportieren …</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
</context>
<context>
    <name>TradeOff</name>
    <message>
        <source>your ONNX Runtime</source>
        <translation>Ihre ONNX Runtime</translation>
    </message>
</context>
<context>
    <name>Tune</name>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Inter-op threads</source>
        <translation>Inter-op-Threads</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>Ausführung</translation>
    </message>
    <message>
        <source>Spinning</source>
        <translation>Aktives Warten</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>as given</source>
        <translation>wie gegeben</translation>
    </message>
    <message>
        <source>sequential</source>
        <translation>sequenziell</translation>
    </message>
    <message>
        <source>parallel</source>
        <translation>parallel</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>batch as given</source>
        <translation>Batch wie gegeben</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>Batch %1</translation>
    </message>
    <message>
        <source>inter-op %1</source>
        <translation>Inter-op %1</translation>
    </message>
    <message>
        <source>spinning</source>
        <translation>aktives Warten</translation>
    </message>
    <message>
        <source>no spinning</source>
        <translation>kein aktives Warten</translation>
    </message>
    <message>
        <source>Median time</source>
        <translation>Medianzeit</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Milliseconds of one run; half of the runs took longer</source>
        <translation>Millisekunden eines Laufs; die Hälfte der Läufe brauchte länger</translation>
    </message>
    <message>
        <source>Inferences per second: the batch by the median time</source>
        <translation>Inferenzen je Sekunde: der Batch durch die Medianzeit</translation>
    </message>
    <message>
        <source>How many times as fast as with the fewest threads, all else alike</source>
        <translation>Wie viel mal so schnell wie mit den wenigsten Threads, alles andere gleich</translation>
    </message>
    <message>
        <source>Speed-up by the number of threads that it took: 100 % is ideal</source>
        <translation>Beschleunigung durch die Zahl der Threads, die sie brauchte: 100 % ist ideal</translation>
    </message>
    <message>
        <source>%1 /s</source>
        <translation>%1 /s</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Not measured; that takes %1</source>
        <translation>Nicht gemessen; das dauert %1</translation>
    </message>
    <message>
        <source>Being measured …</source>
        <translation>Wird gemessen …</translation>
    </message>
    <message>
        <source>Could not be measured: %1</source>
        <translation>Ließ sich nicht messen: %1</translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation>Ausgelassen: %1</translation>
    </message>
    <message>
        <source>%1: %2 (95 % interval %3)</source>
        <translation>%1: %2 (95-%-Intervall %3)</translation>
    </message>
    <message>
        <source>p90 %1, p99 %2, fastest %3, slowest %4</source>
        <translation>p90 %1, p99 %2, schnellster %3, langsamster %4</translation>
    </message>
    <message>
        <source>CPU time of all threads: %1</source>
        <translation>CPU-Zeit aller Threads: %1</translation>
    </message>
    <message>
        <source>First run: %1</source>
        <translation>Erster Lauf: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) measured</source>
        <translation>
            <numerusform>%n Lauf gemessen</numerusform>
            <numerusform>%n Läufe gemessen</numerusform>
        </translation>
    </message>
    <message>
        <source>More threads than this machine&apos;s %1 cores</source>
        <translation>Mehr Threads als die %1 Kerne dieser Maschine</translation>
    </message>
    <message>
        <source>under 1 s</source>
        <translation>unter 1 s</translation>
    </message>
    <message>
        <source>about %1 s</source>
        <translation>etwa %1 s</translation>
    </message>
    <message>
        <source>about %1 min</source>
        <translation>etwa %1 min</translation>
    </message>
    <message>
        <source>about %1 h</source>
        <translation>etwa %1 h</translation>
    </message>
    <message>
        <source>High confidence</source>
        <translation>Hohe Sicherheit</translation>
    </message>
    <message>
        <source>Fair confidence</source>
        <translation>Mittlere Sicherheit</translation>
    </message>
    <message>
        <source>Low confidence</source>
        <translation>Geringe Sicherheit</translation>
    </message>
    <message numerus="yes">
        <source>measured in turn with the next best, %n setting(s) in all</source>
        <translation>
            <numerusform>abwechselnd mit den nächstbesten gemessen, insgesamt %n Einstellung</numerusform>
            <numerusform>abwechselnd mit den nächstbesten gemessen, insgesamt %n Einstellungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>only %n run(s) measured</source>
        <translation>
            <numerusform>nur %n Lauf gemessen</numerusform>
            <numerusform>nur %n Läufe gemessen</numerusform>
        </translation>
    </message>
    <message>
        <source>median known to ±%1 %</source>
        <translation>Median auf ±%1 % bekannt</translation>
    </message>
    <message>
        <source>nothing to compare with yet</source>
        <translation>noch nichts zum Vergleichen</translation>
    </message>
    <message>
        <source>its times drifted by %1 % while it was measured</source>
        <translation>seine Zeiten drifteten beim Messen um %1 %</translation>
    </message>
    <message>
        <source>the machine was unsteady during %1 of %2 settings</source>
        <translation>die Maschine war bei %1 von %2 Einstellungen unruhig</translation>
    </message>
    <message>
        <source>%1 of %2 settings measured</source>
        <translation>%1 von %2 Einstellungen gemessen</translation>
    </message>
</context>
<context>
    <name>TunePlan</name>
    <message>
        <source>the first dimension of input &quot;%1&quot; is fixed at %2</source>
        <translation>die erste Dimension der Eingabe „%1“ steht auf %2 fest</translation>
    </message>
    <message>
        <source>the model has no inputs</source>
        <translation>das Modell hat keine Eingaben</translation>
    </message>
    <message>
        <source>no input has a free batch dimension with a name</source>
        <translation>keine Eingabe hat eine freie Batchdimension mit Namen</translation>
    </message>
</context>
<context>
    <name>ValueFacts</name>
    <message>
        <source>output of the model, made by %1</source>
        <translation>Ausgabe des Modells, berechnet von %1</translation>
    </message>
    <message>
        <source>made by %1</source>
        <translation>berechnet von %1</translation>
    </message>
    <message>
        <source>an input of its graph</source>
        <translation>eine Eingabe ihres Graphen</translation>
    </message>
    <message>
        <source>a constant</source>
        <translation>eine Konstante</translation>
    </message>
    <message>
        <source>made by the model</source>
        <translation>vom Modell berechnet</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1: %2 too large, %3 too small</source>
        <translation>%1: %2 zu groß, %3 zu klein</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Is</source>
        <translation>Ist</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Mean ± deviation</source>
        <translation>Mittel ± Abweichung</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>Unendlich</translation>
    </message>
    <message>
        <source>Beyond float16</source>
        <translation>Jenseits von float16</translation>
    </message>
    <message>
        <source>Beyond bfloat16</source>
        <translation>Jenseits von bfloat16</translation>
    </message>
</context>
<context>
    <name>Variant</name>
    <message>
        <source>the original is left as it is</source>
        <translation>das Original bleibt, wie es ist</translation>
    </message>
    <message>
        <source>the quantized model is left as it is</source>
        <translation>das quantisierte Modell bleibt, wie es ist</translation>
    </message>
    <message>
        <source>the second model is left as it is</source>
        <translation>das zweite Modell bleibt, wie es ist</translation>
    </message>
    <message>
        <source>the edited model is left as it is</source>
        <translation>das bearbeitete Modell bleibt, wie es ist</translation>
    </message>
    <message>
        <source>the edited model is not valid</source>
        <translation>das bearbeitete Modell ist nicht gültig</translation>
    </message>
</context>
<context>
    <name>VariantFigures</name>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>Median of %1 runs with its 95 % interval</source>
        <translation>Median von %1 Läufen mit seinem 95-%-Intervall</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>im Rauschen</translation>
    </message>
    <message>
        <source>95 % interval: %1</source>
        <translation>95-%-Intervall: %1</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>Activations planned: %1</source>
        <translation>Geplante Aktivierungen: %1</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>No output differs at all</source>
        <translation>Keine Ausgabe weicht überhaupt ab</translation>
    </message>
    <message>
        <source>Of the output that is furthest off</source>
        <translation>Der Ausgabe, die am weitesten abweicht</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>✓ the same</source>
        <translation>✓ gleich</translation>
    </message>
    <message>
        <source>✗ %1 of %2 differ</source>
        <translation>✗ %1 von %2 weichen ab</translation>
    </message>
    <message>
        <source>Time of a run</source>
        <translation>Zeit eines Laufs</translation>
    </message>
    <message>
        <source>All variants run in turn, so that a busy machine slows all</source>
        <translation>Alle Varianten laufen abwechselnd, damit ein beschäftigter Rechner alle bremst</translation>
    </message>
    <message>
        <source>Memory of a process</source>
        <translation>Speicher eines Prozesses</translation>
    </message>
    <message>
        <source>Memory of a process that runs it, as the Memory page shows it</source>
        <translation>Speicher eines Prozesses, der es ausführt, wie auf der Seite Speicher</translation>
    </message>
    <message>
        <source>Weights as stored</source>
        <translation>Gewichte wie gespeichert</translation>
    </message>
    <message>
        <source>Bytes of all constants in the file</source>
        <translation>Bytes aller Konstanten in der Datei</translation>
    </message>
    <message>
        <source>Against the first</source>
        <translation>Gegenüber der ersten</translation>
    </message>
    <message>
        <source>Change of the time of a run against that of the first column</source>
        <translation>Änderung der Zeit eines Laufs gegenüber der ersten Spalte</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Outputs against those of the first column, by the tolerance of the guard</source>
        <translation>Ausgaben gegenüber denen der ersten Spalte, nach der Toleranz der Prüfung</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>Signal to noise of the outputs against those of the first column: 20 dB is visible, 30 good, 40 very good</source>
        <translation>Signal-Rausch-Abstand der Ausgaben gegenüber denen der ersten Spalte: 20 dB sieht man, 30 ist gut, 40 sehr gut</translation>
    </message>
    <message>
        <source>Answers changed</source>
        <translation>Geänderte Antworten</translation>
    </message>
    <message>
        <source>Rows of outputs whose largest element is another one than in the first column</source>
        <translation>Zeilen von Ausgaben, deren größtes Element ein anderes ist als in der ersten Spalte</translation>
    </message>
    <message>
        <source>%1, held in %2</source>
        <translation>%1, gehalten in %2</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes of the graph, those of subgraphs counted</source>
        <translation>Knoten des Graphen, die von Teilgraphen mitgezählt</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Zahlenformate</translation>
    </message>
    <message>
        <source>Types of the constants by their share of the elements</source>
        <translation>Typen der Konstanten nach ihrem Anteil an den Elementen</translation>
    </message>
    <message>
        <source>No variant is faster than %1 beyond noise.</source>
        <translation>Keine Variante ist über das Rauschen hinaus schneller als %1.</translation>
    </message>
    <message>
        <source>%1 is the fastest: %2 × as fast as %3.</source>
        <translation>%1 ist am schnellsten: %2-mal so schnell wie %3.</translation>
    </message>
    <message>
        <source>%1, the least</source>
        <translation>%1, das kleinste</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>too few runs</source>
        <translation>zu wenige Läufe</translation>
    </message>
    <message>
        <source>A difference is told from noise by at least %1 runs of each</source>
        <translation>Ein Unterschied lässt sich erst ab je %1 Läufen vom Rauschen unterscheiden</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>%1 GFLOP/s</source>
        <translation>%1 GFLOP/s</translation>
    </message>
    <message>
        <source>%1 GOP/s with int8</source>
        <translation>%1 GOP/s mit int8</translation>
    </message>
    <message>
        <source>%1 GB/s from memory</source>
        <translation>%1 GB/s aus dem Speicher</translation>
    </message>
    <message>
        <source>No kernel ran.</source>
        <translation>Kein Kernel lief.</translation>
    </message>
    <message>
        <source>%1 of %2 goes to %3 %4</source>
        <translation>%1 von %2 gehen an %3 %4</translation>
    </message>
    <message>
        <source>; it reaches %1 of this machine&apos;s peak</source>
        <translation>; er erreicht %1 der Spitze dieser Maschine</translation>
    </message>
    <message>
        <source>; they reach %1 of this machine&apos;s peak</source>
        <translation>; sie erreichen %1 der Spitze dieser Maschine</translation>
    </message>
    <message>
        <source>%1 goes to %2</source>
        <translation>%1 gehen an %2</translation>
    </message>
    <message>
        <source>the slowest node is %1 (%2)</source>
        <translation>der langsamste Knoten ist %1 (%2)</translation>
    </message>
    <message>
        <source>Of the trace&apos;s kernels, %1 are nodes of the open model and %2 are not: see Unmatched.</source>
        <translation>Von den Kerneln des Traces sind %1 Knoten des geöffneten Modells und %2 nicht: siehe Ohne Gegenstück.</translation>
    </message>
    <message>
        <source>%1 (threads: %2)</source>
        <translation>%1 (Threads: %2)</translation>
    </message>
    <message>
        <source>No kernel ran in the selected %1.</source>
        <translation>In den gewählten %1 lief kein Kernel.</translation>
    </message>
    <message>
        <source>In the selected %1, %2 of the time in kernels goes to %3.</source>
        <translation>In den gewählten %1 gehen %2 der Zeit in Kernels an %3.</translation>
    </message>
    <message>
        <source>%1 of %2 nodes</source>
        <translation>%1 von %2 Knoten</translation>
    </message>
    <message>
        <source>%1, %2 of the arithmetic, on %3</source>
        <translation>%1, %2 der Rechenarbeit, auf %3</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1; nothing is copied.</source>
        <translation>%1; nichts wird kopiert.</translation>
    </message>
    <message>
        <source>%1; one copy costs %2.</source>
        <translation>%1; eine Kopie kostet %2.</translation>
    </message>
    <message>
        <source>%1; %2 copies cost %3.</source>
        <translation>%1; %2 Kopien kosten %3.</translation>
    </message>
    <message>
        <source>; it reaches %1 of the peak of %2</source>
        <translation>; er erreicht %1 der Spitze von %2</translation>
    </message>
    <message>
        <source>; they reach %1 of the peak of %2</source>
        <translation>; sie erreichen %1 der Spitze von %2</translation>
    </message>
    <message>
        <source>%1 GOP/s with %2</source>
        <translation>%1 GOP/s mit %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>What %1 costs is not known: the processor did not run the model (%2).</source>
        <translation>Was %1 kostet, ist nicht bekannt: Der Prozessor hat das Modell nicht ausgeführt (%2).</translation>
    </message>
    <message>
        <source>%1 gives another %2 than float32 on the processor (%3)</source>
        <translation>%1 gibt ein anderes %2 als float32 auf dem Prozessor (%3)</translation>
    </message>
    <message>
        <source>%1 gives NaN or infinities in %2 where float32 on the processor gives others</source>
        <translation>%1 gibt in %2 NaN oder Unendlich, wo float32 auf dem Prozessor anderes gibt</translation>
    </message>
    <message>
        <source>%1 gives what float32 on the processor gives</source>
        <translation>%1 gibt, was float32 auf dem Prozessor gibt</translation>
    </message>
    <message>
        <source>%1 moves %2 by at most %3 of values up to %4, %5 dB SQNR against float32 on the processor</source>
        <translation>%1 verschiebt %2 um höchstens %3 bei Werten bis %4, %5 dB SQNR gegenüber float32 auf dem Prozessor</translation>
    </message>
    <message>
        <source>%1: %2 of %3 elements of outputs that are no floats differ</source>
        <translation>%1: %2 von %3 Elementen der Ausgaben, die keine Gleitkommazahlen sind, weichen ab</translation>
    </message>
    <message numerus="yes">
        <source>✗ %1 of %n output(s) differ from what was recorded. %2: %3</source>
        <translation>
            <numerusform>✗ %1 von %n Ausgabe weicht vom Aufgezeichneten ab. %2: %3</numerusform>
            <numerusform>✗ %1 von %n Ausgaben weichen vom Aufgezeichneten ab. %2: %3</numerusform>
        </translation>
    </message>
    <message>
        <source>Read from %1, which is of no run of the open model: none of its %2 kernels is one of the model&apos;s nodes. It stands here alone and is credited to nothing.</source>
        <translation>Gelesen aus %1, das von keinem Lauf des geöffneten Modells stammt: Keiner seiner %2 Kernel ist ein Knoten des Modells. Es steht hier für sich und wird nichts zugerechnet.</translation>
    </message>
    <message>
        <source>the slowest node is %1 (%2; it was held up, another run took %3)</source>
        <translation>der langsamste Knoten ist %1 (%2; er wurde aufgehalten, ein anderer Lauf brauchte %3)</translation>
    </message>
    <message>
        <source>no answer changed</source>
        <translation>keine Antwort geändert</translation>
    </message>
    <message>
        <source>%1 of %2 answers changed</source>
        <translation>%1 von %2 Antworten geändert</translation>
    </message>
    <message>
        <source>Nothing was rounded: no product has a float32 weight large enough.</source>
        <translation>Nichts wurde gerundet: Kein Produkt hat ein float32-Gewicht, das groß genug ist.</translation>
    </message>
    <message>
        <source>%1 of %2 is session overhead, when no kernel runs; %3 goes to %4 %5</source>
        <translation>%1 von %2 sind Sitzungsaufwand, in dem kein Kernel läuft; %3 gehen an %4 %5</translation>
    </message>
    <message>
        <source>Nodes above the measured peak: %1. Their kernels compute less than is counted, as Winograd&apos;s method does, or something else had the processor while its peak was measured; the next start of Lapidary measures it anew.</source>
        <translation>Knoten über der gemessenen Spitze: %1. Ihre Kernel rechnen weniger, als gezählt wird, wie das Verfahren von Winograd, oder anderes hatte den Prozessor, während seine Spitze gemessen wurde; der nächste Start von Lapidary misst sie neu.</translation>
    </message>
</context>
<context>
    <name>WhatIfPanel</name>
    <message>
        <source>no change</source>
        <translation>keine Änderung</translation>
    </message>
</context>
<context>
    <name>WhatsThis</name>
    <message>
        <source>Each page answers one question about the open model. All of them are of the same variant and the same sizes, which the toolbar names.</source>
        <translation>Jede Seite beantwortet eine Frage zum offenen Modell. Alle gelten für dieselbe Variante und dieselben Größen, die die Werkzeugleiste nennt.</translation>
    </message>
    <message>
        <source>The variant in force: runs, memory plans, sweeps and exports are of it. Its measured time stands beside its name; A and B are the two that Compare holds against each other.</source>
        <translation>Die geltende Variante: Läufe, Speicherpläne, Messreihen und Exporte sind von ihr. Neben ihrem Namen steht ihre gemessene Zeit; A und B sind die beiden, die „Vergleichen“ einander gegenüberstellt.</translation>
    </message>
    <message>
        <source>Sizes that free dimensions such as batch and sequence have. Every figure of every page is of these.</source>
        <translation>Größen freier Dimensionen wie Batch und Sequenz. Jede Zahl auf jeder Seite gilt für sie.</translation>
    </message>
    <message>
        <source>Open a model, run it, stop what runs, save the recording, and what all pages are of.</source>
        <translation>Ein Modell öffnen, ausführen, Laufendes abbrechen, die Aufzeichnung sichern, und wovon alle Seiten handeln.</translation>
    </message>
    <message>
        <source>How unsteady this machine was during the last measurement. Small differences cannot be told from noise while it is high.</source>
        <translation>Wie unruhig dieser Rechner während der letzten Messung war. Ist der Wert hoch, sind kleine Unterschiede nicht vom Rauschen zu trennen.</translation>
    </message>
    <message>
        <source>How many things are odd about the open model or its newest run. Press it to read them.</source>
        <translation>Wie viel am offenen Modell oder seinem neuesten Lauf auffällt. Ein Druck zeigt die Liste.</translation>
    </message>
    <message>
        <source>The model as it was opened and what was made of it. The one with the tick is in force. Enter puts another one in force, A and B put it into a slot of Compare.</source>
        <translation>Das Modell, wie es geöffnet wurde, und was daraus gemacht wurde. Was den Haken trägt, gilt. Enter lässt eine andere Variante gelten, A und B stellen sie zum Vergleich.</translation>
    </message>
    <message>
        <source>What the chosen node, tensor or model is, where it came from, what it costs, and what passes did with it or why they did not.</source>
        <translation>Was der gewählte Knoten, Tensor oder das Modell ist, woher es kommt, was es kostet und was Durchläufe damit taten oder warum nicht.</translation>
    </message>
    <message>
        <source>What is wrong or odd about the model: faults, operators that cannot run, where it would not load.</source>
        <translation>Was am Modell falsch ist oder auffällt: Fehler, Operatoren, die nicht laufen können, wo es nicht geladen würde.</translation>
    </message>
    <message>
        <source>What the program did and what went wrong, newest last.</source>
        <translation>Was das Programm tat und was schiefging, das Neueste zuletzt.</translation>
    </message>
    <message>
        <source>What runs now and what ran, with the command that repeats it.</source>
        <translation>Was jetzt läuft und was lief, mit dem Befehl, der es wiederholt.</translation>
    </message>
    <message>
        <source>The way in: open something of yours, take the tour, or ask a question of a sample.</source>
        <translation>Der Einstieg: Eigenes öffnen, die Tour machen oder einem Beispiel eine Frage stellen.</translation>
    </message>
    <message>
        <source>Three ways to begin: a model of your own, a minute&apos;s tour on a sample, or a profile that another program recorded.</source>
        <translation>Drei Anfänge: ein eigenes Modell, eine Minute Tour an einem Beispiel oder ein Profil, das ein anderes Programm aufgezeichnet hat.</translation>
    </message>
    <message>
        <source>A question, and the page that answers it, for the open model or for a small sample.</source>
        <translation>Eine Frage und die Seite, die sie beantwortet, für das offene Modell oder ein kleines Beispiel.</translation>
    </message>
    <message>
        <source>Well-known architectures with random weights, built on this machine: good for trying things out and for timing, not for results.</source>
        <translation>Bekannte Architekturen mit Zufallsgewichten, auf diesem Rechner gebaut: gut zum Ausprobieren und Messen, nicht für Ergebnisse.</translation>
    </message>
    <message>
        <source>What you opened before, with a picture of its graph and what the last run found.</source>
        <translation>Was zuvor geöffnet war, mit einem Bild des Graphen und dem Befund des letzten Laufs.</translation>
    </message>
    <message>
        <source>The model as it computes: boxes are operators or groups of them, lines are tensors. A click chooses, a double click opens a group, arrow keys follow the tensors.</source>
        <translation>Das Modell, wie es rechnet: Kästen sind Operatoren oder Gruppen davon, Linien sind Tensoren. Ein Klick wählt, ein Doppelklick öffnet eine Gruppe, Pfeiltasten folgen den Tensoren.</translation>
    </message>
    <message>
        <source>The same nodes as a table, in the order in which they run.</source>
        <translation>Dieselben Knoten als Tabelle, in der Reihenfolge, in der sie laufen.</translation>
    </message>
    <message>
        <source>What the colours of the boxes mean: the kind of operator, measured time, memory, the share of the machine&apos;s peak that is reached, and more.</source>
        <translation>Was die Farben der Kästen bedeuten: Art des Operators, gemessene Zeit, Speicher, erreichter Anteil an der Spitze des Rechners und mehr.</translation>
    </message>
    <message>
        <source>How the graph is drawn: zoom, open and closed groups, constants, direction, colours, and marks on what is found.</source>
        <translation>Wie der Graph gezeichnet wird: Vergrößerung, offene und geschlossene Gruppen, Konstanten, Richtung, Farben und Marken an Gefundenem.</translation>
    </message>
    <message>
        <source>The four levels of optimization, as ONNX Runtime names them: how many nodes each leaves, its measured time with the 95 % interval, memory, and whether the guard found its results the same. Pressing one puts it in force.</source>
        <translation>Die vier Optimierungsstufen, wie ONNX Runtime sie nennt: wie viele Knoten jede lässt, ihre gemessene Zeit mit 95-%-Intervall, Speicher, und ob der Wächter gleiche Ergebnisse fand. Ein Druck lässt sie gelten.</translation>
    </message>
    <message>
        <source>Every pass of the level with how often it applied and almost did. Without its tick it is left out, which makes another variant.</source>
        <translation>Jeder Durchlauf der Stufe mit der Zahl seiner Treffer und Beinahe-Treffer. Ohne Haken entfällt er, was eine andere Variante ergibt.</translation>
    </message>
    <message>
        <source>Every rewrite in its order, with where it was. Choosing one draws the graph after it.</source>
        <translation>Jede Umformung in ihrer Reihenfolge, mit ihrem Ort. Eine Wahl zeichnet den Graphen danach.</translation>
    </message>
    <message>
        <source>Places that a pass would have rewritten but for one condition, with that condition.</source>
        <translation>Stellen, die ein Durchlauf bis auf eine Bedingung umgeformt hätte, mit dieser Bedingung.</translation>
    </message>
    <message>
        <source>Runs the original and the variant on the same inputs and compares every output; where they differ it can find the rewrite that did it.</source>
        <translation>Führt Original und Variante mit denselben Eingaben aus und vergleicht jede Ausgabe; wo sie abweichen, findet er die Umformung, die es war.</translation>
    </message>
    <message>
        <source>The graph before and after: dashed red with a minus went, green with a plus came.</source>
        <translation>Der Graph vorher und nachher: rot gestrichelt mit Minus ging, grün mit Plus kam.</translation>
    </message>
    <message>
        <source>One tick for each rewrite, coloured by the kind of pass. Move through them to see the graph grow shorter.</source>
        <translation>Ein Strich für jede Umformung, gefärbt nach Art des Durchlaufs. Beim Durchgehen sieht man den Graphen kürzer werden.</translation>
    </message>
    <message>
        <source>How the change is drawn, and what to do with the variant: measure, prove, export it.</source>
        <translation>Wie die Änderung gezeichnet wird und was mit der Variante geschieht: messen, prüfen, exportieren.</translation>
    </message>
    <message>
        <source>What quantizing is to reach: how many bits, whether accuracy or speed counts, and how long it may search.</source>
        <translation>Was die Quantisierung erreichen soll: wie viele Bits, ob Genauigkeit oder Tempo zählt und wie lange gesucht werden darf.</translation>
    </message>
    <message>
        <source>Inputs that ranges are taken from and results are judged on. Real ones say much more than generated ones.</source>
        <translation>Eingaben, aus denen Wertebereiche kommen und an denen Ergebnisse beurteilt werden. Echte sagen viel mehr als erzeugte.</translation>
    </message>
    <message>
        <source>What was found: how much smaller and faster, and what it costs in accuracy.</source>
        <translation>Der Befund: wie viel kleiner und schneller, und was es an Genauigkeit kostet.</translation>
    </message>
    <message>
        <source>Ways to quantize, best first, each with its signal-to-noise ratio, changed answers, size and measured time.</source>
        <translation>Wege zu quantisieren, der beste zuerst, je mit Signal-Rausch-Verhältnis, geänderten Antworten, Größe und gemessener Zeit.</translation>
    </message>
    <message>
        <source>Every node with whether it was quantized and why. A tick keeps it float.</source>
        <translation>Jeder Knoten und ob und warum er quantisiert wurde. Ein Haken lässt ihn in Gleitkomma.</translation>
    </message>
    <message>
        <source>Accuracy against time or size. Points on the dashed line are not beaten in both by any other.</source>
        <translation>Genauigkeit gegen Zeit oder Größe. Punkte auf der gestrichelten Linie übertrifft kein anderer in beidem.</translation>
    </message>
    <message>
        <source>The signal-to-noise ratio layer by layer: where quantizing loses most.</source>
        <translation>Das Signal-Rausch-Verhältnis Schicht für Schicht: wo die Quantisierung am meisten verliert.</translation>
    </message>
    <message>
        <source>The range of values of each tensor over the samples, which decides its scale.</source>
        <translation>Der Wertebereich jedes Tensors über die Stichproben, der seine Skala bestimmt.</translation>
    </message>
    <message>
        <source>How the model is run: threads, how often, what is done first without recording, the seed of generated inputs, the device.</source>
        <translation>Wie das Modell läuft: Threads, wie oft, was vorher ohne Aufzeichnung läuft, Startwert erzeugter Eingaben, Gerät.</translation>
    </message>
    <message>
        <source>What the model is fed: generated values, or files of yours. Recorded outputs among them are compared with.</source>
        <translation>Womit das Modell gespeist wird: erzeugte Werte oder eigene Dateien. Mit aufgezeichneten Ausgaben darunter wird verglichen.</translation>
    </message>
    <message>
        <source>Where the time goes, in one sentence, and the median of the runs with its 95 % interval.</source>
        <translation>Wohin die Zeit geht, in einem Satz, und der Median der Läufe mit 95-%-Intervall.</translation>
    </message>
    <message>
        <source>Time by operator, those of a kind together. Session overhead is the time in which no kernel ran.</source>
        <translation>Zeit nach Operatoren, gleiche zusammen. Sitzungsaufwand ist die Zeit, in der kein Kernel lief.</translation>
    </message>
    <message>
        <source>Time by node: what ran it, on which shapes, how much of the machine&apos;s peak it reached and what it is bound by.</source>
        <translation>Zeit nach Knoten: was ihn ausführte, mit welchen Formen, wie viel der Rechnerspitze er erreichte und wodurch er begrenzt ist.</translation>
    </message>
    <message>
        <source>The same times rolled back onto the nodes of the model as it was opened.</source>
        <translation>Dieselben Zeiten, zurückgerechnet auf die Knoten des geöffneten Modells.</translation>
    </message>
    <message>
        <source>Time by the parts of the model, as their names nest: wide is slow.</source>
        <translation>Zeit nach Teilen des Modells, wie ihre Namen verschachtelt sind: Breit heißt langsam.</translation>
    </message>
    <message>
        <source>What came out: type, range and first values, and whether it is as recorded.</source>
        <translation>Was herauskam: Typ, Bereich und erste Werte, und ob es der Aufzeichnung gleicht.</translation>
    </message>
    <message>
        <source>The chosen output: its values, their distribution, the largest with their labels, a picture where it is one.</source>
        <translation>Die gewählte Ausgabe: ihre Werte, deren Verteilung, die größten mit Namen, ein Bild, wo sie eines ist.</translation>
    </message>
    <message>
        <source>What a session does before and after runs: load, optimize, plan, pack weights, clean up.</source>
        <translation>Was eine Sitzung vor und nach Läufen tut: laden, optimieren, planen, Gewichte packen, aufräumen.</translation>
    </message>
    <message>
        <source>What was held at each moment of a run.</source>
        <translation>Was in jedem Augenblick eines Laufs gehalten wurde.</translation>
    </message>
    <message>
        <source>The recording over time, a row for each thread. The wheel zooms, dragging along the ruler selects a range, to which the figures of the page then refer.</source>
        <translation>Die Aufzeichnung über die Zeit, eine Zeile je Thread. Das Rad vergrößert, Ziehen am Lineal wählt einen Bereich, von dem die Seite dann spricht.</translation>
    </message>
    <message>
        <source>The slowest run beneath a typical one. Bands join the same kernel in both; marks stand where most time was lost.</source>
        <translation>Der langsamste Lauf unter einem typischen. Bänder verbinden denselben Kernel in beiden; Marken stehen, wo am meisten Zeit verloren ging.</translation>
    </message>
    <message>
        <source>What is in use at each step, by its role. The marked step is the peak.</source>
        <translation>Was in jedem Schritt belegt ist, nach seiner Rolle. Der markierte Schritt ist die Spitze.</translation>
    </message>
    <message>
        <source>Each tensor by address and step: how the plan lays them out.</source>
        <translation>Jeder Tensor nach Adresse und Schritt: wie der Plan sie anordnet.</translation>
    </message>
    <message>
        <source>Switches and sizes to try: pictures and tables follow at once, nothing runs.</source>
        <translation>Schalter und Größen zum Probieren: Bilder und Tabellen folgen sofort, nichts läuft.</translation>
    </message>
    <message>
        <source>From which step to which each tensor lives, and who keeps it.</source>
        <translation>Von welchem bis zu welchem Schritt jeder Tensor lebt und wer ihn hält.</translation>
    </message>
    <message>
        <source>What is tried: numbers of threads, batches, levels, and under More the options of a session.</source>
        <translation>Was probiert wird: Threads, Batches, Stufen und unter „Mehr“ die Optionen einer Sitzung.</translation>
    </message>
    <message>
        <source>What to use, with reasons, or that the differences drown in noise.</source>
        <translation>Was zu nehmen ist, mit Gründen, oder dass die Unterschiede im Rauschen untergehen.</translation>
    </message>
    <message>
        <source>A cell for each setting: its figure, and whether it can be told apart from the best.</source>
        <translation>Eine Zelle je Einstellung: ihre Zahl und ob sie sich von der besten unterscheiden lässt.</translation>
    </message>
    <message>
        <source>How the time falls as threads are added, against what it would at best.</source>
        <translation>Wie die Zeit mit mehr Threads sinkt, verglichen mit dem bestmöglichen Verlauf.</translation>
    </message>
    <message>
        <source>Which operators gain from more threads and which do not.</source>
        <translation>Welche Operatoren von mehr Threads gewinnen und welche nicht.</translation>
    </message>
    <message>
        <source>All settings with their figures and intervals.</source>
        <translation>Alle Einstellungen mit Zahlen und Intervallen.</translation>
    </message>
    <message>
        <source>A against B in six figures. Green with a triangle upward is better, red with one downward worse, whatever the sign.</source>
        <translation>A gegen B in sechs Zahlen. Grün mit Dreieck nach oben ist besser, rot mit Dreieck nach unten schlechter, gleich welches Vorzeichen.</translation>
    </message>
    <message>
        <source>A waterfall from the time of A to that of B: who gained and who lost, what is within noise put together.</source>
        <translation>Ein Wasserfall von der Zeit von A zu der von B: wer gewann und wer verlor; was im Rauschen liegt, ist zusammengefasst.</translation>
    </message>
    <message>
        <source>Nodes of both, matched by the nodes of the model that they stand for.</source>
        <translation>Knoten beider, zugeordnet nach den Knoten des Modells, für die sie stehen.</translation>
    </message>
    <message>
        <source>Every measured run of both: how far they overlap.</source>
        <translation>Jeder gemessene Lauf beider: wie weit sie sich überdecken.</translation>
    </message>
    <message>
        <source>Both graphs, panned and zoomed together.</source>
        <translation>Beide Graphen, gemeinsam verschoben und vergrößert.</translation>
    </message>
    <message>
        <source>A program that repeats the settings in ONNX Runtime.</source>
        <translation>Ein Programm, das die Einstellungen in ONNX Runtime wiederholt.</translation>
    </message>
    <message>
        <source>What is worth doing with this model, from what is known of it. The button below starts it.</source>
        <translation>Was sich bei diesem Modell lohnt, nach dem, was von ihm bekannt ist. Der Knopf darunter fängt es an.</translation>
    </message>
    <message>
        <source>Runs whose figures the project keeps.</source>
        <translation>Läufe, deren Zahlen das Projekt behält.</translation>
    </message>
    <message>
        <source>Many callers at the same time: how many requests are answered and how soon, put together by the batcher and one by one.</source>
        <translation>Viele Aufrufer zugleich: wie viele Anfragen wie bald beantwortet werden, vom Batcher zusammengefasst und einzeln.</translation>
    </message>
    <message>
        <source>From A as a whole to B as a whole by the parts of the model: times of fused nodes are rolled back, and what is within noise is one bar.</source>
        <translation>Von A im Ganzen zu B im Ganzen nach Teilen des Modells: Zeiten verschmolzener Knoten sind zurückgerechnet, was im Rauschen liegt, ist ein Balken.</translation>
    </message>
    <message>
        <source>A typical run of A over one of B: bands join kernels that stand for the same nodes of the model.</source>
        <translation>Ein typischer Lauf von A über einem von B: Bänder verbinden Kernels, die für dieselben Knoten des Modells stehen.</translation>
    </message>
    <message>
        <source>The Graph page: what the model computes and where data goes.</source>
        <translation>Die Seite Graph: was das Modell rechnet und wohin Daten gehen.</translation>
    </message>
    <message>
        <source>The Optimize page: what passes do to the model, level by level.</source>
        <translation>Die Seite Optimieren: was Durchläufe am Modell tun, Stufe für Stufe.</translation>
    </message>
    <message>
        <source>The Quantize page: the model in fewer bits, and what that costs.</source>
        <translation>Die Seite Quantisieren: das Modell in weniger Bits und was das kostet.</translation>
    </message>
    <message>
        <source>The Run page: a profiled run and where its time goes.</source>
        <translation>Die Seite Lauf: ein profilierter Lauf und wohin seine Zeit geht.</translation>
    </message>
    <message>
        <source>The Memory page: what a run holds, step by step.</source>
        <translation>Die Seite Speicher: was ein Lauf Schritt für Schritt hält.</translation>
    </message>
    <message>
        <source>The Tune page: which settings are fastest on this machine.</source>
        <translation>Die Seite Abstimmen: welche Einstellungen auf diesem Rechner am schnellsten sind.</translation>
    </message>
    <message>
        <source>The Compare page: A against B, measured in turn.</source>
        <translation>Die Seite Vergleich: A gegen B, abwechselnd gemessen.</translation>
    </message>
    <message>
        <source>The Checklist page: what is worth doing with this model.</source>
        <translation>Die Seite Checkliste: was sich bei diesem Modell lohnt.</translation>
    </message>
    <message>
        <source>What is odd, what happened, and what runs.</source>
        <translation>Was auffällt, was geschah und was läuft.</translation>
    </message>
    <message>
        <source>What holds for every model, from one start to the next.</source>
        <translation>Was für jedes Modell gilt, von einem Start zum nächsten.</translation>
    </message>
    <message>
        <source>Writes the variant in force for those who are to run it.</source>
        <translation>Schreibt die geltende Variante für die, die sie ausführen sollen.</translation>
    </message>
    <message>
        <source>Writes the model changed as chosen, after telling what changes.</source>
        <translation>Schreibt das Modell wie gewählt geändert, nachdem es die Änderungen nennt.</translation>
    </message>
    <message>
        <source>Each node under the roofs of this machine, or of the device that ran it: at the slope it waits for memory, at the flat roof it computes as fast as it can. The larger the dot, the more time.</source>
        <translation>Jeder Knoten unter den Dächern dieses Rechners oder des Geräts, auf dem er lief: An der Schräge wartet er auf Speicher, am flachen Dach rechnet er so schnell es geht. Je größer der Punkt, desto mehr Zeit.</translation>
    </message>
    <message>
        <source>A Python program that quantizes this model with ONNX Runtime&apos;s own tools. Its first lines say what they do differently.</source>
        <translation>Ein Python-Programm, das dieses Modell mit den eigenen Werkzeugen von ONNX Runtime quantisiert. Was diese anders machen, sagen seine ersten Zeilen.</translation>
    </message>
    <message>
        <source>What a process that runs the model takes and what that is made of; then the activations: how much is planned, where the peak is, what is alive there, what is held and what was measured.</source>
        <translation>Was ein Prozess braucht, der das Modell ausführt, und woraus sich das zusammensetzt; dann die Aktivierungen: wie viel geplant ist, wo die Spitze liegt, was dort lebt, was gehalten und was gemessen wurde.</translation>
    </message>
    <message>
        <source>The Generate page: how fast a language model talks, and why.</source>
        <translation>Die Seite Erzeugen: wie schnell ein Sprachmodell spricht und warum.</translation>
    </message>
    <message>
        <source>What tokens are generated from, how many, with which variants, and how each is chosen.</source>
        <translation>Woraus Tokens erzeugt werden, wie viele, mit welchen Varianten und wie jeder gewählt wird.</translation>
    </message>
    <message>
        <source>How fast tokens come, and what in the newest recorded one stands out.</source>
        <translation>Wie schnell Tokens kommen und was am neuesten aufgezeichneten hervorsticht.</translation>
    </message>
    <message>
        <source>The prompt and the tokens behind it as they come. Those for which B would have chosen another are underlined.</source>
        <translation>Der Prompt und die Tokens dahinter, wie sie kommen. Unterstrichen sind die, für die B einen anderen gewählt hätte.</translation>
    </message>
    <message>
        <source>The time of each token, what it is made of, the memory that is held, and the variants side by side, over the tokens of context.</source>
        <translation>Die Zeit jedes Tokens, woraus sie besteht, der belegte Speicher und die Varianten nebeneinander, über den Tokens des Kontexts.</translation>
    </message>
    <message>
        <source>Both variants on the same tokens: A chooses them. Changed tokens are those for which B would have chosen another; the divergence is that of its logits, in nats.</source>
        <translation>Beide Varianten auf denselben Tokens: A wählt sie. Geändert sind die, für die B einen anderen gewählt hätte; die Divergenz ist die seiner Logits, in Nat.</translation>
    </message>
    <message>
        <source>Outputs of both on the same inputs, by the rule of the guard. Enter on one that differs finds where it starts to.</source>
        <translation>Ausgaben beider bei denselben Eingaben, nach der Regel des Wächters. Die Eingabetaste auf einer, die abweicht, findet, wo es beginnt.</translation>
    </message>
    <message>
        <source>The first node that makes another output of the same inputs, what differs about it, and how large the difference is along the graph.</source>
        <translation>Der erste Knoten, der aus denselben Eingaben eine andere Ausgabe macht, was an ihm verschieden ist, und wie groß der Unterschied entlang des Graphen ist.</translation>
    </message>
    <message>
        <source>Two engines, or two releases of one, on the opened model: the nodes in which B is slower or faster. Enter on one shows it in the graph.</source>
        <translation>Zwei Engines oder zwei Versionen einer Engine auf dem geöffneten Modell: die Knoten, in denen B langsamer oder schneller ist. Eingabetaste zeigt einen im Graphen.</translation>
    </message>
    <message>
        <source>The variant in force on two machines: this computer and a target, or two targets, measured one after the other.</source>
        <translation>Die geltende Variante auf zwei Rechnern: diesem und einem Ziel oder zwei Zielen, nacheinander gemessen.</translation>
    </message>
    <message>
        <source>Other computers that ssh reaches, on which models are run and measured: what each is, or why it cannot be reached.</source>
        <translation>Andere Rechner, die ssh erreicht und auf denen Modelle laufen und gemessen werden: was jeder ist, oder warum er nicht zu erreichen ist.</translation>
    </message>
    <message>
        <source>Each setting as a point, latency against throughput, with the line of those that no other beats and the latency cap. Beneath it the program for ONNX Runtime with the recommended setting.</source>
        <translation>Jede Einstellung als Punkt, Latenz gegen Durchsatz, mit der Linie derer, die keine andere schlägt, und der Latenzgrenze. Darunter das Programm für ONNX Runtime mit der empfohlenen Einstellung.</translation>
    </message>
    <message>
        <source>Two to eight variants side by side: time, memory, size, accuracy, nodes and precision. A double click in a column, or In detail, takes it and the first one for A and B.</source>
        <translation>Zwei bis acht Varianten nebeneinander: Zeit, Speicher, Größe, Genauigkeit, Knoten und Zahlenformate. Ein Doppelklick in einer Spalte, oder „Im Einzelnen“, nimmt sie und die erste für A und B.</translation>
    </message>
    <message>
        <source>Recipes from the smallest to the most accurate. Each step to the right costs bytes and takes noise away.</source>
        <translation>Rezepte vom kleinsten bis zum genauesten. Jeder Schritt nach rechts kostet Bytes und nimmt Rauschen weg.</translation>
    </message>
    <message>
        <source>Searches the timeline for nodes and operators: how often they ran, and the way from one to the next. All else is drawn pale.</source>
        <translation>Sucht Knoten und Operatoren in der Zeitleiste: wie oft sie liefen, und den Weg von einem zum nächsten. Alles andere wird blass gezeichnet.</translation>
    </message>
    <message>
        <source>The recorded runs, as tall as they took long: the typical and the slowest one are coloured. A click or the arrow keys show one in the timeline, Enter the slowest.</source>
        <translation>Die aufgezeichneten Läufe, so hoch, wie sie lang dauerten: der typische und der langsamste sind farbig. Ein Klick oder die Pfeiltasten zeigen einen in der Zeitleiste, Enter den langsamsten.</translation>
    </message>
    <message>
        <source>Over the time of the timeline: how many threads work, how many bytes of activations are alive, and how much kernels read and write.</source>
        <translation>Über die Zeit der Zeitleiste: wie viele Threads arbeiten, wie viele Bytes an Aktivierungen lebendig sind, und wie viel Kernel lesen und schreiben.</translation>
    </message>
    <message>
        <source>What would shorten the largest rows above, by how much at most, with a link that begins with it.</source>
        <translation>Was die größten Zeilen darüber verkürzen würde, um wie viel höchstens, mit einem Link, der damit beginnt.</translation>
    </message>
    <message>
        <source>Every rewrite in its order with the nodes before and after it: dashed with a minus went, with a plus came, with a tilde was changed; pale ones are neighbours. Choosing one draws it in the graph.</source>
        <translation>Jede Umformung in ihrer Reihenfolge mit den Knoten vorher und nachher: gestrichelt mit Minus ging, mit Plus kam, mit Tilde wurde geändert; blasse sind Nachbarn. Eine Wahl zeichnet sie im Graphen.</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Checklist</name>
    <message>
        <source>Look for advice</source>
        <translation>Nach Rat suchen</translation>
    </message>
    <message>
        <source>Look at the export of %1</source>
        <translation>Export von %1 ansehen</translation>
    </message>
    <message>
        <source>Plan the memory of %1</source>
        <translation>Speicher von %1 planen</translation>
    </message>
    <message>
        <source>level %1</source>
        <translation>Stufe %1</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Comparison</name>
    <message>
        <source>Measuring</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Profiling A</source>
        <translation>Profil von A</translation>
    </message>
    <message>
        <source>Profiling B</source>
        <translation>Profil von B</translation>
    </message>
    <message>
        <source>Comparing the outputs</source>
        <translation>Vergleich der Ausgaben</translation>
    </message>
    <message>
        <source>Compare %1 with %2</source>
        <translation>%1 mit %2 vergleichen</translation>
    </message>
    <message>
        <source>The comparison is not complete. %1</source>
        <translation>Der Vergleich ist nicht vollständig. %1</translation>
    </message>
    <message>
        <source>The comparison was cancelled; what was found out is kept.</source>
        <translation>Der Vergleich wurde abgebrochen; was bekannt ist, bleibt erhalten.</translation>
    </message>
    <message>
        <source>The comparison failed: %1</source>
        <translation>Der Vergleich schlug fehl: %1</translation>
    </message>
</context>
<context>
    <name>lapidary::app::DifferenceSearch</name>
    <message>
        <source>Find where %1 differs from %2</source>
        <translation>Finden, wo %1 von %2 abweicht</translation>
    </message>
</context>
<context>
    <name>lapidary::app::EngineBeside</name>
    <message>
        <source>Measure ONNX Runtime beside it</source>
        <translation>ONNX Runtime daneben messen</translation>
    </message>
</context>
<context>
    <name>lapidary::app::ExportedFiles</name>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Generating</name>
    <message>
        <source>Generate with %1</source>
        <translation>Erzeugen mit %1</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>It ended early: %1</source>
        <translation>Es endete vorzeitig: %1</translation>
    </message>
</context>
<context>
    <name>lapidary::app::GivenData</name>
    <message>
        <source>Look at the inputs</source>
        <translation>Eingaben ansehen</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Job</name>
    <message>
        <source>starting</source>
        <translation>beginnt</translation>
    </message>
</context>
<context>
    <name>lapidary::app::LevelTimes</name>
    <message>
        <source>Measure the levels of %1</source>
        <translation>Stufen von %1 messen</translation>
    </message>
</context>
<context>
    <name>lapidary::app::LevelTrial</name>
    <message>
        <source>Look how long %1 runs</source>
        <translation>Sehen, wie lange %1 läuft</translation>
    </message>
    <message>
        <source>Compare %1 with the original</source>
        <translation>%1 mit dem Original vergleichen</translation>
    </message>
</context>
<context>
    <name>lapidary::app::MachineComparison</name>
    <message>
        <source>this computer</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>Compare two machines</source>
        <translation>Zwei Rechner vergleichen</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Machines</name>
    <message>
        <source>This target is in the list already.</source>
        <translation>Dieses Ziel steht schon in der Liste.</translation>
    </message>
    <message>
        <source>The list has %1 targets, which is the most.</source>
        <translation>Die Liste hat %1 Ziele; mehr sind nicht möglich.</translation>
    </message>
    <message>
        <source>Test %1</source>
        <translation>%1 prüfen</translation>
    </message>
    <message>
        <source>Type user@host or user@host:folder, with letters, digits and . _ - +. A folder may begin with ~/ and has no “..”.</source>
        <translation>Tippen Sie benutzer@rechner oder benutzer@rechner:ordner, mit Buchstaben, Ziffern und . _ - +. Ein Ordner kann mit ~/ beginnen und enthält kein „..“.</translation>
    </message>
</context>
<context>
    <name>lapidary::app::MeasuredDecoders</name>
    <message numerus="yes">
        <source>Measure %n decoder(s)</source>
        <translation>
            <numerusform>%n Decoder messen</numerusform>
            <numerusform>%n Decoder messen</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>It ended early: %1</source>
        <translation>Es endete vorzeitig: %1</translation>
    </message>
</context>
<context>
    <name>lapidary::app::ModelOpener</name>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Opening %1 was cancelled.</source>
        <translation>Das Öffnen von %1 wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Could not open %1: %2</source>
        <translation>%1 ließ sich nicht öffnen: %2</translation>
    </message>
</context>
<context>
    <name>lapidary::app::OpenedModel</name>
    <message numerus="yes">
        <source>Opened %1: %n node(s).</source>
        <translation>
            <numerusform>%1 geöffnet: %n Knoten.</numerusform>
            <numerusform>%1 geöffnet: %n Knoten.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>Showing %1: %n node(s).</source>
        <translation>
            <numerusform>%1 wird gezeigt: %n Knoten.</numerusform>
            <numerusform>%1 wird gezeigt: %n Knoten.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::app::PlannedMemory</name>
    <message>
        <source>Plan the memory of %1</source>
        <translation>Speicher von %1 planen</translation>
    </message>
</context>
<context>
    <name>lapidary::app::PluginList</name>
    <message>
        <source>Look for plugins and engines</source>
        <translation>Plugins und Engines suchen</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Project</name>
    <message>
        <source>%1 could not be made: %2</source>
        <translation>%1 ließ sich nicht erzeugen: %2</translation>
    </message>
    <message>
        <source>compare %1 as A</source>
        <translation>%1 als A vergleichen</translation>
    </message>
    <message>
        <source>compare %1 as B</source>
        <translation>%1 als B vergleichen</translation>
    </message>
    <message>
        <source>remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>edit the notes</source>
        <translation>Notizen bearbeiten</translation>
    </message>
    <message>
        <source>its bytes are not those that it had when the project was saved (SHA-256 %1… instead of %2…)</source>
        <translation>ihre Bytes sind nicht mehr die, die sie beim Speichern des Projekts hatte (SHA-256 %1… statt %2…)</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Could not open %1: %2</source>
        <translation>%1 ließ sich nicht öffnen: %2</translation>
    </message>
    <message>
        <source>Look for %1</source>
        <translation>%1 suchen</translation>
    </message>
    <message>
        <source>The weights kept beside the model have %1 bytes now and had %2 when the project was saved.</source>
        <translation>Die neben dem Modell liegenden Gewichte haben jetzt %1 Bytes und hatten %2, als das Projekt gespeichert wurde.</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>Saved the project %1.</source>
        <translation>Das Projekt %1 ist gespeichert.</translation>
    </message>
    <message>
        <source>it was cancelled</source>
        <translation>es wurde abgebrochen</translation>
    </message>
    <message>
        <source>Could not save %1: %2</source>
        <translation>%1 ließ sich nicht speichern: %2</translation>
    </message>
    <message>
        <source>swap A and B</source>
        <translation>A und B tauschen</translation>
    </message>
    <message>
        <source>Check %1</source>
        <translation>%1 prüfen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Quantizing</name>
    <message>
        <source>Look at the samples</source>
        <translation>Beispiele ansehen</translation>
    </message>
    <message>
        <source>Quantize %1</source>
        <translation>%1 quantisieren</translation>
    </message>
    <message>
        <source>Quantize %1 again</source>
        <translation>%1 erneut quantisieren</translation>
    </message>
    <message>
        <source>Stopped; the best so far is kept.</source>
        <translation>Angehalten; das bisher Beste bleibt.</translation>
    </message>
    <message>
        <source>Stopped before the first recipe was tried.</source>
        <translation>Angehalten, bevor das erste Rezept probiert war.</translation>
    </message>
    <message>
        <source>The search ended early, the best so far is kept: %1</source>
        <translation>Die Suche endete vorzeitig, das bisher Beste bleibt: %1</translation>
    </message>
    <message>
        <source>Rank the nodes of %1</source>
        <translation>Knoten von %1 ordnen</translation>
    </message>
    <message>
        <source>Put the edited model without quantization in force first: it is what is quantized.</source>
        <translation>Setzen Sie erst das bearbeitete Modell ohne Quantisierung in Kraft: es ist das, was quantisiert wird.</translation>
    </message>
</context>
<context>
    <name>lapidary::app::ServingCurve</name>
    <message>
        <source>Only models of files and samples can be measured in another process.</source>
        <translation>Nur Modelle aus Dateien und Beispiele lassen sich in einem anderen Prozess messen.</translation>
    </message>
    <message>
        <source>Only the four levels can be measured so: this variant is made in another way.</source>
        <translation>Nur die vier Stufen lassen sich so messen: Diese Variante entsteht anders.</translation>
    </message>
    <message>
        <source>Measure callers at the same time</source>
        <translation>Gleichzeitige Aufrufer messen</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Tuning</name>
    <message>
        <source>%1 could not be made: %2</source>
        <translation>%1 ließ sich nicht erzeugen: %2</translation>
    </message>
    <message>
        <source>Some settings could not be measured: %1</source>
        <translation>Einige Einstellungen ließen sich nicht messen: %1</translation>
    </message>
    <message>
        <source>The budget of %1 s is used up; %2 settings were left out. Press Start to go on with them.</source>
        <translation>Das Budget von %1 s ist aufgebraucht; %2 Einstellungen blieben aus. Start macht mit ihnen weiter.</translation>
    </message>
    <message>
        <source>Tune %1</source>
        <translation>%1 abstimmen</translation>
    </message>
    <message>
        <source>Measure at least two settings first.</source>
        <translation>Zuerst mindestens zwei Einstellungen messen.</translation>
    </message>
    <message>
        <source>Verify the best %1 settings of %2</source>
        <translation>Die besten %1 Einstellungen von %2 nachprüfen</translation>
    </message>
    <message>
        <source>Cancelled; what was measured is kept.</source>
        <translation>Abgebrochen; was gemessen ist, bleibt.</translation>
    </message>
    <message>
        <source>with generated inputs</source>
        <translation>mit erzeugten Eingaben</translation>
    </message>
    <message>
        <source>Tell the best %1 settings of %2 apart</source>
        <translation>Die besten %1 Einstellungen von %2 unterscheiden</translation>
    </message>
</context>
<context>
    <name>lapidary::app::VariantComparison</name>
    <message>
        <source>Compare %1 variants</source>
        <translation>%1 Varianten vergleichen</translation>
    </message>
</context>
<context>
    <name>lapidary::app::VariantStore</name>
    <message>
        <source>Optimize: %1</source>
        <translation>Optimieren: %1</translation>
    </message>
    <message>
        <source>Look at the model</source>
        <translation>Modell ansehen</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Workbench</name>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Could not open %1: %2</source>
        <translation>%1 ließ sich nicht öffnen: %2</translation>
    </message>
    <message>
        <source>Ran %1: %2 ms.</source>
        <translation>%1 ausgeführt: %2 ms.</translation>
    </message>
    <message>
        <source>The run was cancelled.</source>
        <translation>Der Lauf wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The run was cancelled: %1 of %2 runs are kept.</source>
        <translation>Der Lauf wurde abgebrochen: %1 von %2 Läufen bleiben erhalten.</translation>
    </message>
    <message>
        <source>The run failed: %1</source>
        <translation>Der Lauf schlug fehl: %1</translation>
    </message>
    <message>
        <source>Opened the trace %1.</source>
        <translation>Der Trace %1 ist geöffnet.</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>Saved the trace %1.</source>
        <translation>Der Trace %1 ist gespeichert.</translation>
    </message>
    <message>
        <source>Could not save %1: %2</source>
        <translation>%1 ließ sich nicht speichern: %2</translation>
    </message>
    <message>
        <source>Models run in this program, which a crash of theirs would end: %1.</source>
        <translation>Modelle laufen in diesem Programm, das ein Absturz beendete: %1.</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Recorded by ONNX Runtime.</source>
        <translation>Von ONNX Runtime aufgezeichnet.</translation>
    </message>
    <message>
        <source>Run %1 · %2</source>
        <translation>Lauf %1 · %2</translation>
    </message>
</context>
<context>
    <name>lapidary::app::WorkerLink</name>
    <message>
        <source>The worker ended (%1) while opening %2</source>
        <translation>Der Arbeitsprozess endete (%1), während er „%2“ öffnete</translation>
    </message>
    <message>
        <source>The worker ended (%1)</source>
        <translation>Der Arbeitsprozess endete (%1)</translation>
    </message>
    <message>
        <source>The worker ended (%1) while running %2</source>
        <translation>Der Arbeitsprozess endete (%1), während „%2“ lief</translation>
    </message>
    <message>
        <source>It was started again. What is open and what was measured before is all there.</source>
        <translation>Er wurde neu gestartet. Was offen ist und was vorher gemessen wurde, ist alles noch da.</translation>
    </message>
    <message>
        <source>It did not get ready; the next run tries to start it again.</source>
        <translation>Er wurde nicht bereit; der nächste Lauf versucht ihn erneut zu starten.</translation>
    </message>
    <message>
        <source>Its last words: %1</source>
        <translation>Seine letzten Worte: %1</translation>
    </message>
    <message>
        <source>the settings say so</source>
        <translation>so wollen es die Einstellungen</translation>
    </message>
    <message>
        <source>The worker hangs</source>
        <translation>Der Arbeitsprozess hängt</translation>
    </message>
    <message>
        <source>The worker hangs while running %1</source>
        <translation>Der Arbeitsprozess hängt bei %1</translation>
    </message>
    <message>
        <source>Nothing was heard of it for some seconds: it was stopped, or the machine is overloaded. When it is ended, what it was running is lost; what is open and what was measured before stays.</source>
        <translation>Seit einigen Sekunden kam nichts von ihm: Er wurde angehalten, oder der Rechner ist überlastet. Wird er beendet, geht verloren, was er gerade ausführt; was offen ist und was vorher gemessen wurde, bleibt.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::AboutDialog</name>
    <message>
        <source>About Lapidary</source>
        <translation>Über Lapidary</translation>
    </message>
    <message>
        <source>Lapidary %1</source>
        <translation>Lapidary %1</translation>
    </message>
    <message>
        <source>A workbench for ONNX models: look, run, measure, explain.</source>
        <translation>Eine Werkbank für ONNX-Modelle: ansehen, ausführen, messen, erklären.</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>This window program is free software under the GNU General Public License, version 3 or later; it comes without any warranty.</source>
        <translation>Dieses Fensterprogramm ist freie Software unter der GNU General Public License, Version 3 oder neuer; ohne jede Gewährleistung.</translation>
    </message>
    <message>
        <source>The engine (lapidary_core) and lapidary-cli are under the Apache License 2.0.</source>
        <translation>Die Engine (lapidary_core) und lapidary-cli stehen unter der Apache License 2.0.</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>Gebaut mit</translation>
    </message>
</context>
<context>
    <name>lapidary::views::AccuracySlider</name>
    <message>
        <source>Use this recipe</source>
        <translation>Dieses Rezept nehmen</translation>
    </message>
    <message>
        <source>From the smallest recipe to the most accurate</source>
        <translation>Vom kleinsten Rezept zum genauesten</translation>
    </message>
    <message>
        <source>Recipes that were tried, from the smallest to the most accurate. Those that another one beats in size and SQNR are left out.</source>
        <translation>Probierte Rezepte vom kleinsten bis zum genauesten. Was ein anderes in Größe und SQNR übertrifft, fehlt.</translation>
    </message>
    <message>
        <source>Make the chosen recipe the result</source>
        <translation>Das gewählte Rezept zum Ergebnis machen</translation>
    </message>
    <message>
        <source>smallest</source>
        <translation>am kleinsten</translation>
    </message>
    <message>
        <source>most accurate</source>
        <translation>am genauesten</translation>
    </message>
    <message>
        <source>not on the slider, where a recipe as small has at least this SQNR</source>
        <translation>nicht auf dem Regler: Dort hat ein so kleines Rezept mindestens diesen SQNR</translation>
    </message>
</context>
<context>
    <name>lapidary::views::AttributeFields</name>
    <message>
        <source>Name a node to see its attributes.</source>
        <translation>Nennen Sie einen Knoten, um seine Attribute zu sehen.</translation>
    </message>
    <message>
        <source>%1 has no attributes.</source>
        <translation>%1 hat keine Attribute.</translation>
    </message>
    <message>
        <source>%1, opset %2. An emptied field removes the attribute, which then has its default.</source>
        <translation>%1, Opset %2. Ein geleertes Feld entfernt das Attribut; es hat dann seinen Standardwert.</translation>
    </message>
    <message>
        <source>nodes of one operator</source>
        <translation>Knoten eines Operators</translation>
    </message>
    <message>
        <source>Attributes are set for nodes of one operator.</source>
        <translation>Attribute werden für Knoten eines Operators gesetzt.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::AttributeTable</name>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>Was es bedeutet</translation>
    </message>
    <message>
        <source>needed</source>
        <translation>nötig</translation>
    </message>
    <message>
        <source>Value of %1</source>
        <translation>Wert von %1</translation>
    </message>
    <message>
        <source>value or number</source>
        <translation>Wert oder Zahl</translation>
    </message>
    <message>
        <source>not as text</source>
        <translation>nicht als Text</translation>
    </message>
    <message>
        <source>a whole number is expected</source>
        <translation>erwartet wird eine ganze Zahl</translation>
    </message>
    <message>
        <source>a number is expected</source>
        <translation>erwartet wird eine Zahl</translation>
    </message>
    <message>
        <source>whole numbers with commas between them are expected</source>
        <translation>erwartet werden ganze Zahlen mit Kommas dazwischen</translation>
    </message>
    <message>
        <source>numbers with commas between them are expected</source>
        <translation>erwartet werden Zahlen mit Kommas dazwischen</translation>
    </message>
    <message>
        <source>different values</source>
        <translation>verschiedene Werte</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingang</translation>
    </message>
</context>
<context>
    <name>lapidary::views::BisectBar</name>
    <message>
        <source>Optimizes again and again, stopping after fewer rewrites, until one is left: right before it all outputs agree, right after it one does not</source>
        <translation>Optimiert immer wieder und hört nach weniger Umformungen auf, bis eine übrig ist: direkt vor ihr stimmen alle Ausgaben überein, direkt nach ihr eine nicht</translation>
    </message>
    <message>
        <source>Find the rewrite of %1 that moves an output</source>
        <translation>Umformung von %1 suchen, die eine Ausgabe verschiebt</translation>
    </message>
    <message>
        <source>The search was cancelled.</source>
        <translation>Die Suche wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The search failed: %1</source>
        <translation>Die Suche ist fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>Searching: %1 …</source>
        <translation>Suche: %1 …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Find the rewrite</source>
        <translation>Umformung suchen</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>Suche …</translation>
    </message>
    <message>
        <source>The outputs differ, but no single rewrite was found after which they begin to: the result is not the same each time.</source>
        <translation>Die Ausgaben weichen ab, aber es fand sich keine einzelne Umformung, mit der das beginnt: Das Ergebnis ist nicht jedes Mal gleich.</translation>
    </message>
    <message numerus="yes">
        <source>✓ Of %n rewrite(s) none moves an output beyond the tolerance.</source>
        <translation>
            <numerusform>✓ Die eine Umformung verschiebt keine Ausgabe über die Toleranz hinaus.</numerusform>
            <numerusform>✓ Von %n Umformungen verschiebt keine eine Ausgabe über die Toleranz hinaus.</numerusform>
        </translation>
    </message>
    <message>
        <source>Go to step %1</source>
        <translation>Zu Schritt %1</translation>
    </message>
    <message>
        <source>✕ Rewrite %1 of %2, by %3: %4.</source>
        <translation>✕ Umformung %1 von %2, durch %3: %4.</translation>
    </message>
    <message>
        <source>The model right after it does not run: %1</source>
        <translation>Das Modell direkt danach läuft nicht: %1</translation>
    </message>
    <message>
        <source>Right after it output %1 is off by up to %2; right before it all outputs agree (%3 models compared).</source>
        <translation>Direkt danach weicht die Ausgabe %1 um bis zu %2 ab; direkt davor stimmen alle Ausgaben überein (%3 Modelle verglichen).</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CellTable</name>
    <message>
        <source>queued, %1</source>
        <translation>in der Schlange, %1</translation>
    </message>
    <message>
        <source>not measured, %1</source>
        <translation>nicht gemessen, %1</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>wird gemessen …</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>ausgelassen: %1</translation>
    </message>
    <message>
        <source>recommended</source>
        <translation>empfohlen</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>Alle Einstellungen</translation>
    </message>
    <message>
        <source>as fast as the recommended</source>
        <translation>so schnell wie die empfohlene</translation>
    </message>
    <message>
        <source>cannot be told apart from the recommended</source>
        <translation>von der empfohlenen nicht zu unterscheiden</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ChangeModel</name>
    <message>
        <source>step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
    <message>
        <source>Rule and what it did</source>
        <translation>Regel und was sie tat</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ChangePanel</name>
    <message>
        <source>Rewrites by rule</source>
        <translation>Umformungen nach Regel</translation>
    </message>
    <message>
        <source>This is the model as it was opened. Choose a level above to see what it changes.</source>
        <translation>Das ist das Modell, wie es geöffnet wurde. Oben eine Stufe wählen, um zu sehen, was sie ändert.</translation>
    </message>
    <message>
        <source>Nothing to optimize: 0 of %1 passes match.</source>
        <translation>Nichts zu optimieren: 0 von %1 Pässen treffen zu.</translation>
    </message>
    <message>
        <source>None came near either: the model holds no pattern they look for.</source>
        <translation>Es kam auch keiner in die Nähe: Das Modell enthält kein Muster, nach dem sie suchen.</translation>
    </message>
    <message numerus="yes">
        <source>%n came near; the tab Near misses says what each lacked.</source>
        <translation>
            <numerusform>%n kam in die Nähe</numerusform>
            <numerusform> die Karte Beinahe-Treffer sagt, was fehlte.;%n kamen in die Nähe; die Karte Beinahe-Treffer sagt, was jeweils fehlte.</numerusform>
        </translation>
    </message>
    <message>
        <source>Pict&amp;ures</source>
        <translation>B&amp;ilder</translation>
    </message>
    <message>
        <source>Every rewrite in its order, with the nodes around it before and after</source>
        <translation>Jede Umformung in ihrer Reihenfolge, mit den Knoten um sie vorher und nachher</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CheckLabel</name>
    <message>
        <source>Outputs against recorded ones</source>
        <translation>Ausgaben gegen aufgezeichnete</translation>
    </message>
    <message numerus="yes">
        <source>✗ %n output(s) differ from what was recorded</source>
        <translation>
            <numerusform>✗ %n Ausgabe weicht vom Aufgezeichneten ab</numerusform>
            <numerusform>✗ %n Ausgaben weichen vom Aufgezeichneten ab</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::ChecklistPage</name>
    <message>
        <source>● Worth doing</source>
        <translation>● Lohnt sich</translation>
    </message>
    <message>
        <source>? Not known yet</source>
        <translation>? Noch unbekannt</translation>
    </message>
    <message>
        <source>✓ Done</source>
        <translation>✓ Erledigt</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>Looking at the model …</source>
        <translation>Das Modell wird angesehen …</translation>
    </message>
    <message>
        <source>&amp;Runs kept</source>
        <translation>Aufgehobene &amp;Läufe</translation>
    </message>
    <message>
        <source>N&amp;otes</source>
        <translation>N&amp;otizen</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>How</source>
        <translation>Wie</translation>
    </message>
    <message>
        <source>About the chosen check</source>
        <translation>Über die gewählte Prüfung</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell ist offen</translation>
    </message>
    <message>
        <source>Open an ONNX model to see what is worth doing with it: what was tried, what was not, and what it may gain.</source>
        <translation>Ein ONNX-Modell öffnen, um zu sehen, was sich damit lohnt: was probiert wurde, was nicht und was es bringen kann.</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>%1 worth doing</source>
        <translation>lohnen sich: %1</translation>
    </message>
    <message>
        <source>%1 not known yet</source>
        <translation>noch unbekannt: %1</translation>
    </message>
    <message>
        <source>%1 done</source>
        <translation>erledigt: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) worth doing</source>
        <translation>
            <numerusform>%n Sache lohnt sich</numerusform>
            <numerusform>%n Sachen lohnen sich</numerusform>
        </translation>
    </message>
    <message>
        <source>%1
Expected gain: %2</source>
        <translation>%1
Erwarteter Gewinn: %2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>fix the sizes of free dimensions</source>
        <translation>Größen der freien Dimensionen festlegen</translation>
    </message>
    <message>
        <source>Compare %1 with the original</source>
        <translation>%1 mit dem Original vergleichen</translation>
    </message>
    <message>
        <source>The comparison was cancelled.</source>
        <translation>Der Vergleich wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The original does not run: %1</source>
        <translation>Das Original läuft nicht: %1</translation>
    </message>
    <message>
        <source>The chosen check, and what the project keeps</source>
        <translation>Die gewählte Prüfung und was das Projekt aufhebt</translation>
    </message>
    <message>
        <source>&amp;Why and how</source>
        <translation>&amp;Warum und wie</translation>
    </message>
    <message>
        <source>– Gains nothing</source>
        <translation>– Bringt nichts</translation>
    </message>
    <message>
        <source>Export: %1</source>
        <translation>Export: %1</translation>
    </message>
    <message>
        <source>Show what gains &amp;nothing</source>
        <translation>&amp;Zeigen, was nichts bringt</translation>
    </message>
    <message>
        <source>Lists the checks that do not concern this model or gain nothing, each with the reason</source>
        <translation>Führt die Prüfungen auf, die dieses Modell nicht betreffen oder nichts bringen, jede mit dem Grund</translation>
    </message>
    <message>
        <source>%1 gain nothing</source>
        <translation>ohne Gewinn: %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1
It brought: %2</source>
        <translation>%1
Das brachte: %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ChoiceChips</name>
    <message>
        <source>other</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>Type numbers from %1 to %2 and press Enter</source>
        <translation>Zahlen von %1 bis %2 eingeben und Enter drücken</translation>
    </message>
    <message>
        <source>%1: other values</source>
        <translation>%1: andere Werte</translation>
    </message>
    <message>
        <source>%1: expected whole numbers from %2 to %3, found &quot;%4&quot;</source>
        <translation>%1: erwartet ganze Zahlen von %2 bis %3, gefunden „%4“</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CoachMark</name>
    <message>
        <source>End the tour</source>
        <translation>Rundgang beenden</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>Rundgang</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CodePanel</name>
    <message>
        <source>The file is the &amp;exported variant</source>
        <translation>Die Datei ist die &amp;exportierte Variante</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Whose settings the code repeats</source>
        <translation>Wessen Einstellungen der Code wiederholt</translation>
    </message>
    <message>
        <source>Settings of A</source>
        <translation>Einstellungen von A</translation>
    </message>
    <message>
        <source>Settings of B</source>
        <translation>Einstellungen von B</translation>
    </message>
    <message>
        <source>Programming language</source>
        <translation>Programmiersprache</translation>
    </message>
    <message>
        <source>Version of ONNX Runtime</source>
        <translation>Version von ONNX Runtime</translation>
    </message>
    <message>
        <source>Names and values fit this version of ONNX Runtime</source>
        <translation>Namen und Werte passen zu dieser Version von ONNX Runtime</translation>
    </message>
    <message>
        <source>ONNX Runtime %1</source>
        <translation>ONNX Runtime %1</translation>
    </message>
    <message>
        <source>Off: ONNX Runtime optimizes the model that was opened, at the variant&apos;s level. On: it loads the variant exported by Lapidary and optimizes no further.</source>
        <translation>Aus: ONNX Runtime optimiert das geöffnete Modell auf der Stufe der Variante. An: Es lädt die von Lapidary exportierte Variante und optimiert nicht weiter.</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Choose a variant first.</source>
        <translation>Zuerst eine Variante wählen.</translation>
    </message>
    <message>
        <source>&amp;Write its optimized model</source>
        <translation>Optimiertes Modell &amp;schreiben</translation>
    </message>
    <message>
        <source>Write a &amp;profile</source>
        <translation>&amp;Profil schreiben</translation>
    </message>
    <message>
        <source>optimized_model_filepath: ONNX Runtime writes what it made of the model beside it</source>
        <translation>optimized_model_filepath: ONNX Runtime schreibt daneben, was es aus dem Modell gemacht hat</translation>
    </message>
    <message>
        <source>enable_profiling: ONNX Runtime writes where its time went; Open … shows such a profile here</source>
        <translation>enable_profiling: ONNX Runtime schreibt, wohin seine Zeit ging; Öffnen … zeigt ein solches Profil hier</translation>
    </message>
    <message>
        <source>Execution providers</source>
        <translation>Execution Provider</translation>
    </message>
    <message>
        <source>Execution providers: CUDA:device_id=0</source>
        <translation>Execution Provider: CUDA:device_id=0</translation>
    </message>
    <message>
        <source>Execution providers that the session asks before the CPU, with their options: NAME:KEY=VALUE,… with spaces between them. Empty: those that the variant runs on</source>
        <translation>Execution Provider, die die Sitzung vor der CPU fragt, mit ihren Optionen: NAME:SCHLÜSSEL=WERT,… durch Leerzeichen getrennt. Leer: die, auf denen die Variante läuft</translation>
    </message>
    <message>
        <source>Session options</source>
        <translation>Optionen der Sitzung</translation>
    </message>
    <message>
        <source>Session options: enable_mem_pattern=0</source>
        <translation>Optionen der Sitzung: enable_mem_pattern=0</translation>
    </message>
    <message>
        <source>Attributes of SessionOptions and entries of the session configuration, by their names in ONNX Runtime: KEY=VALUE with spaces between them</source>
        <translation>Attribute von SessionOptions und Einträge der Sitzungskonfiguration, mit ihren Namen in ONNX Runtime: SCHLÜSSEL=WERT durch Leerzeichen getrennt</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CodeText</name>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <source>Save code …</source>
        <translation>Code speichern …</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>The code is on the clipboard.</source>
        <translation>Der Code liegt in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Save code</source>
        <translation>Code speichern</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>Nicht gespeichert: %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CommandPalette</name>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find nodes, tensors, passes, pages, settings, commands</source>
        <translation>Knoten, Tensoren, Pässe, Seiten, Einstellungen, Befehle suchen</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>Wonach gesucht wird</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
    <message>
        <source>Read the names of %1</source>
        <translation>Namen von %1 lesen</translation>
    </message>
    <message>
        <source>Mark all %1 nodes on the graph</source>
        <translation>Alle %1 Knoten im Graphen markieren</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>Filters: op:Conv  scope:layer.3  type:f16  time&gt;1ms</source>
        <translation>Filter: op:Conv  scope:layer.3  type:f16  time&gt;1ms</translation>
    </message>
    <message>
        <source>Nothing ran yet: F5 shows what takes how long.</source>
        <translation>Noch lief nichts: F5 sagt, was wie lange dauert.</translation>
    </message>
    <message>
        <source>Reading the names of the model …</source>
        <translation>Die Namen des Modells werden gelesen …</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>Nichts gefunden.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ComparePage</name>
    <message>
        <source>Comparing …</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>The comparison failed</source>
        <translation>Der Vergleich schlug fehl</translation>
    </message>
    <message>
        <source>The comparison failed: %1</source>
        <translation>Der Vergleich schlug fehl: %1</translation>
    </message>
    <message>
        <source>%1 could not be made</source>
        <translation>%1 ließ sich nicht erzeugen</translation>
    </message>
    <message>
        <source>Double click shows the nodes of %1.</source>
        <translation>Ein Doppelklick zeigt die Knoten von %1.</translation>
    </message>
    <message>
        <source>The variant that is shown does not have this node; show the original first.</source>
        <translation>Die gezeigte Variante hat diesen Knoten nicht; zuerst das Original zeigen.</translation>
    </message>
    <message>
        <source>Prepare the comparison</source>
        <translation>Vergleich aufbereiten</translation>
    </message>
    <message>
        <source>The comparison could not be prepared</source>
        <translation>Der Vergleich ließ sich nicht aufbereiten</translation>
    </message>
    <message>
        <source>%1 and %2 do not differ beyond noise: the interval of the difference is %3.</source>
        <translation>%1 und %2 unterscheiden sich nicht über das Rauschen hinaus: Das Intervall des Unterschieds ist %3.</translation>
    </message>
    <message>
        <source>%1 is faster than %2: %3 time per run (%4), significant.</source>
        <translation>%1 ist schneller als %2: %3 Zeit je Lauf (%4), signifikant.</translation>
    </message>
    <message>
        <source>%1 is slower than %2: %3 time per run (%4), significant.</source>
        <translation>%1 ist langsamer als %2: %3 Zeit je Lauf (%4), signifikant.</translation>
    </message>
    <message>
        <source>%1 against %2: %3 instead of %4 nodes. Press Compare to measure, profile and check the outputs.</source>
        <translation>%1 gegen %2: %3 statt %4 Knoten. „Vergleichen“ misst, nimmt Profile auf und prüft die Ausgaben.</translation>
    </message>
    <message>
        <source>Most of it: %1, %2 per run.</source>
        <translation>Das meiste davon: %1, %2 je Lauf.</translation>
    </message>
    <message>
        <source>The outputs agree.</source>
        <translation>Die Ausgaben stimmen überein.</translation>
    </message>
    <message>
        <source>Outputs that differ: %1 of %2.</source>
        <translation>Abweichende Ausgaben: %1 von %2.</translation>
    </message>
    <message>
        <source>It was cancelled before the end.</source>
        <translation>Er wurde vor dem Ende abgebrochen.</translation>
    </message>
    <message>
        <source>The run settings have changed since.</source>
        <translation>Die Laufeinstellungen wurden seither geändert.</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare A and B</source>
        <translation>A und B vergleichen</translation>
    </message>
    <message>
        <source>Measure A and B in turn, profile both and compare their outputs</source>
        <translation>A und B abwechselnd messen, von beiden ein Profil aufnehmen und ihre Ausgaben vergleichen</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>A und B tauschen</translation>
    </message>
    <message>
        <source>Let A and B change places</source>
        <translation>A und B die Plätze tauschen lassen</translation>
    </message>
    <message>
        <source>Copy the comparison as command</source>
        <translation>Vergleich als Befehl kopieren</translation>
    </message>
    <message>
        <source>Copy the lapidary-cli command that repeats this comparison</source>
        <translation>Den lapidary-cli-Befehl kopieren, der diesen Vergleich wiederholt</translation>
    </message>
    <message>
        <source>The command is on the clipboard.</source>
        <translation>Der Befehl liegt in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Choose B</source>
        <translation>B wählen</translation>
    </message>
    <message>
        <source>A is what B is compared with. Choose two different variants above, drag them here from the Variants dock, or take one of these for B:</source>
        <translation>Mit A wird B verglichen. Oben zwei verschiedene Varianten wählen, sie aus dem Bereich Varianten hierher ziehen oder eine von diesen für B nehmen:</translation>
    </message>
    <message>
        <source>Constants folded, needless nodes removed: plain ONNX that runs anywhere.</source>
        <translation>Konstanten gefaltet, unnötige Knoten entfernt: schlichtes ONNX, das überall läuft.</translation>
    </message>
    <message>
        <source>Fused operators on top: attention, GELU, layer normalization …</source>
        <translation>Dazu verschmolzene Operatoren: Attention, GELU, Layer-Normalisierung …</translation>
    </message>
    <message>
        <source>Laid out for this processor as well: usually the fastest.</source>
        <translation>Auch für diesen Prozessor angeordnet: meist am schnellsten.</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Press Compare: both variants are profiled, and the bars lead from the time of A to the time of B.</source>
        <translation>„Vergleichen“ nimmt von beiden Varianten ein Profil auf; die Balken führen von der Zeit von A zur Zeit von B.</translation>
    </message>
    <message>
        <source>What makes the difference</source>
        <translation>Was den Unterschied ausmacht</translation>
    </message>
    <message>
        <source>&amp;Operators</source>
        <translation>&amp;Operatoren</translation>
    </message>
    <message>
        <source>&amp;Nodes</source>
        <translation>&amp;Knoten</translation>
    </message>
    <message>
        <source>&amp;Distribution</source>
        <translation>&amp;Verteilung</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>&amp;Speicher</translation>
    </message>
    <message>
        <source>&amp;Graph</source>
        <translation>&amp;Graph</translation>
    </message>
    <message>
        <source>O&amp;utputs</source>
        <translation>A&amp;usgaben</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell ist offen</translation>
    </message>
    <message>
        <source>Open an ONNX model or take a sample from the start page; then two of its variants can be compared here.</source>
        <translation>Ein ONNX-Modell öffnen oder ein Beispiel von der Startseite nehmen; dann lassen sich hier zwei Varianten davon vergleichen.</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Write %1</source>
        <translation>%1 schreiben</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>%1 was not saved</source>
        <translation>%1 wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>Save report …</source>
        <translation>Bericht speichern …</translation>
    </message>
    <message>
        <source>Write one HTML file with graph, timeline and tables that needs no other file and no network</source>
        <translation>Eine HTML-Datei mit Graph, Zeitleiste und Tabellen schreiben, die keine andere Datei und kein Netz braucht</translation>
    </message>
    <message>
        <source>Save all tables …</source>
        <translation>Alle Tabellen speichern …</translation>
    </message>
    <message>
        <source>Write every table of the comparison as CSV, and all of it as JSON, into a folder</source>
        <translation>Jede Tabelle des Vergleichs als CSV und alles zusammen als JSON in einen Ordner schreiben</translation>
    </message>
    <message>
        <source>Cod&amp;e</source>
        <translation>Cod&amp;e</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML-Seite (*.html)</translation>
    </message>
    <message>
        <source>Save all tables into a folder</source>
        <translation>Alle Tabellen in einen Ordner speichern</translation>
    </message>
    <message>
        <source>T&amp;imes</source>
        <translation>&amp;Zeiten</translation>
    </message>
    <message>
        <source>&amp;Ops</source>
        <translation>&amp;Ops</translation>
    </message>
    <message>
        <source>Sprea&amp;d</source>
        <translation>&amp;Verteilung</translation>
    </message>
    <message>
        <source>&amp;Both</source>
        <translation>&amp;Beide</translation>
    </message>
    <message>
        <source>&amp;Where</source>
        <translation>&amp;Wo</translation>
    </message>
    <message>
        <source>No&amp;tes</source>
        <translation>No&amp;tizen</translation>
    </message>
    <message>
        <source>SQNR of the outputs is %1 or more.</source>
        <translation>Der SQNR der Ausgaben ist %1 oder mehr.</translation>
    </message>
    <message>
        <source>Compare with ONNX Runtime</source>
        <translation>Mit ONNX Runtime vergleichen</translation>
    </message>
    <message>
        <source>Take the model in your own ONNX Runtime, at its highest level, for B</source>
        <translation>Das Modell in der eigenen ONNX Runtime, auf ihrer höchsten Stufe, als B nehmen</translation>
    </message>
    <message>
        <source>The model in your own ONNX Runtime, where one is found.</source>
        <translation>Das Modell in der eigenen ONNX Runtime, falls eine gefunden wird.</translation>
    </message>
    <message>
        <source>Take another ONNX file for B; a file that is dropped on this page does the same</source>
        <translation>Eine andere ONNX-Datei als B nehmen; eine Datei, die auf diese Seite gezogen wird, tut dasselbe</translation>
    </message>
    <message>
        <source>A second model</source>
        <translation>Ein zweites Modell</translation>
    </message>
    <message>
        <source>Another ONNX file with the same inputs: side by side by the names of nodes.</source>
        <translation>Eine andere ONNX-Datei mit denselben Eingaben: nebeneinander nach den Namen der Knoten.</translation>
    </message>
    <message>
        <source>Side &amp;by side</source>
        <translation>Ne&amp;beneinander</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Look at %1</source>
        <translation>%1 ansehen</translation>
    </message>
    <message>
        <source>%1 could not be opened</source>
        <translation>%1 konnte nicht geöffnet werden</translation>
    </message>
    <message>
        <source>Take a file for B …</source>
        <translation>Eine Datei als B nehmen …</translation>
    </message>
    <message>
        <source>&amp;Parts</source>
        <translation>&amp;Teile</translation>
    </message>
    <message>
        <source>T&amp;imelines</source>
        <translation>&amp;Zeitleisten</translation>
    </message>
    <message>
        <source>A typical profiled run of each. Watching costs time: profiled runs take %1 in A and %2 in B.</source>
        <translation>Je ein typischer profilierter Lauf. Zusehen kostet Zeit: profilierte Läufe dauern %1 in A und %2 in B.</translation>
    </message>
    <message>
        <source>Shares of profiled runs (%1 in A, %2 in B), scaled to the latencies above: watching costs time.</source>
        <translation>Anteile profilierter Läufe (%1 in A, %2 in B), auf die Latenzen oben umgerechnet: Zusehen kostet Zeit.</translation>
    </message>
    <message>
        <source>Most in one part: %1, %2 per run.</source>
        <translation>Das meiste in einem Teil: %1, %2 je Lauf.</translation>
    </message>
    <message>
        <source>outside of all scopes</source>
        <translation>außerhalb aller Bereiche</translation>
    </message>
    <message>
        <source>Typical profiled runs: %1 in A, %2 in B; watching costs time.</source>
        <translation>Typische beobachtete Läufe: %1 in A, %2 in B; Beobachten kostet Zeit.</translation>
    </message>
    <message>
        <source>Measured with %1, threads: %2.</source>
        <translation>Gemessen mit %1, Threads: %2.</translation>
    </message>
    <message>
        <source>It will run with %1, threads: %2.</source>
        <translation>Es wird mit %1 laufen, Threads: %2.</translation>
    </message>
    <message>
        <source>Models (*.onnx *.ort)</source>
        <translation>Modelle (*.onnx *.ort)</translation>
    </message>
    <message>
        <source>Double click finds where %1 starts to differ.</source>
        <translation>Ein Doppelklick findet, wo %1 abzuweichen beginnt.</translation>
    </message>
    <message>
        <source>&amp;Where it starts</source>
        <translation>&amp;Wo es beginnt</translation>
    </message>
    <message>
        <source>Engine&amp;s</source>
        <translation>E&amp;ngines</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>It ran on %1.</source>
        <translation>Gelaufen auf %1.</translation>
    </message>
    <message>
        <source>Mac&amp;hines</source>
        <translation>Rec&amp;hner</translation>
    </message>
    <message>
        <source>&amp;Variants</source>
        <translation>&amp;Varianten</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>&amp;Alle</translation>
    </message>
    <message>
        <source>&amp;Hosts</source>
        <translation>&amp;Hosts</translation>
    </message>
    <message>
        <source>Choose …</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>The comparison is not complete</source>
        <translation>Der Vergleich ist nicht vollständig</translation>
    </message>
    <message>
        <source>Choose an ONNX Runtime …</source>
        <translation>Eine ONNX Runtime wählen …</translation>
    </message>
    <message>
        <source>Take the model in the ONNX Runtime of a library or a Python interpreter, at its highest level, for B</source>
        <translation>Das Modell in der ONNX Runtime einer Bibliothek oder eines Python-Interpreters auf deren höchster Stufe als B nehmen</translation>
    </message>
    <message>
        <source>An ONNX Runtime</source>
        <translation>Eine ONNX Runtime</translation>
    </message>
    <message>
        <source>Libraries and interpreters (*.so *.so.* *.dylib *.dll python*)</source>
        <translation>Bibliotheken und Interpreter (*.so *.so.* *.dylib *.dll python*)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ContextMemoryPanel</name>
    <message>
        <source>Tokens of context</source>
        <translation>Token Kontext</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory over the context</source>
        <translation>Speicher über den Kontext</translation>
    </message>
    <message>
        <source>Memory by context of %1</source>
        <translation>Speicher nach Kontext von %1</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>Es wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Planning memory by context …</source>
        <translation>Speicher nach Kontext wird geplant …</translation>
    </message>
    <message>
        <source>with caches for %1 tokens</source>
        <translation>mit Caches für %1 Token</translation>
    </message>
    <message>
        <source>Each token makes the caches %1 larger; caches of fixed size take the room for their capacity from the beginning.</source>
        <translation>Jedes Token macht die Caches um %1 größer; Caches fester Größe nehmen den Platz für ihre Kapazität von Anfang an.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ConvertDialog</name>
    <message>
        <source>&amp;Opset</source>
        <translation>&amp;Opset</translation>
    </message>
    <message>
        <source>&amp;Weights beside the model, from</source>
        <translation>&amp;Gewichte neben dem Modell, ab</translation>
    </message>
    <message>
        <source>Open the &amp;result</source>
        <translation>E&amp;rgebnis öffnen</translation>
    </message>
    <message>
        <source>&amp;Save as …</source>
        <translation>&amp;Speichern unter …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Convert %1</source>
        <translation>%1 umwandeln</translation>
    </message>
    <message>
        <source>The command that repeats this:</source>
        <translation>Der Befehl, der dies wiederholt:</translation>
    </message>
    <message>
        <source>What to change</source>
        <translation>Was zu ändern ist</translation>
    </message>
    <message>
        <source>Nodes are rewritten where operators changed; one that cannot be says why</source>
        <translation>Knoten werden umgeschrieben, wo sich Operatoren geändert haben; einer, bei dem es nicht geht, sagt warum</translation>
    </message>
    <message>
        <source>Opset to convert to</source>
        <translation>Opset, in das umgewandelt wird</translation>
    </message>
    <message>
        <source>from %1 to </source>
        <translation>von %1 auf </translation>
    </message>
    <message>
        <source>stays free</source>
        <translation>bleibt frei</translation>
    </message>
    <message>
        <source>Size of dimension %1</source>
        <translation>Größe der Dimension %1</translation>
    </message>
    <message>
        <source>Dimension %1</source>
        <translation>Dimension %1</translation>
    </message>
    <message>
        <source>Outputs to keep</source>
        <translation>Zu behaltende Ausgaben</translation>
    </message>
    <message>
        <source>Above 2 GB weights always go into a separate file</source>
        <translation>Über 2 GB kommen Gewichte immer in eine eigene Datei</translation>
    </message>
    <message>
        <source> kB</source>
        <translation> kB</translation>
    </message>
    <message>
        <source>Smallest weight that goes into the file beside it</source>
        <translation>Kleinstes Gewicht, das in die Datei daneben kommt</translation>
    </message>
    <message>
        <source>What changes</source>
        <translation>Was sich ändert</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>The command that repeats this</source>
        <translation>Der Befehl, der dies wiederholt</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Keep at least one output.</source>
        <translation>Mindestens eine Ausgabe behalten.</translation>
    </message>
    <message>
        <source>Look at what a conversion changes</source>
        <translation>Ansehen, was eine Umwandlung ändert</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>Es wurde abgebrochen.</translation>
    </message>
    <message numerus="yes">
        <source>Changes: %1. The model keeps its %n node(s).</source>
        <translation>
            <numerusform>Änderungen: %1. Das Modell behält seinen Knoten.</numerusform>
            <numerusform>Änderungen: %1. Das Modell behält seine %n Knoten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Changes: %1. Of %2 nodes %3 are left.</source>
        <translation>Änderungen: %1. Von %2 Knoten bleiben %3.</translation>
    </message>
    <message>
        <source>Choose a file and write the converted model</source>
        <translation>Eine Datei wählen und das umgewandelte Modell schreiben</translation>
    </message>
    <message>
        <source>Choose what to change first</source>
        <translation>Erst wählen, was zu ändern ist</translation>
    </message>
    <message>
        <source>Nothing is chosen: the model stays as it is.</source>
        <translation>Nichts ist gewählt: Das Modell bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>Finding out what changes …</source>
        <translation>Es wird ermittelt, was sich ändert …</translation>
    </message>
    <message>
        <source>Save the converted model</source>
        <translation>Das umgewandelte Modell speichern</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX-Modelle (*.onnx)</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>✓ Wrote %1</source>
        <translation>✓ %1 geschrieben</translation>
    </message>
    <message>
        <source>It was cancelled; nothing was written.</source>
        <translation>Es wurde abgebrochen; nichts wurde geschrieben.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CopyTable</name>
    <message>
        <source>known when it runs</source>
        <translation>erst beim Lauf bekannt</translation>
    </message>
    <message>
        <source>Copies between kinds of memory</source>
        <translation>Kopien zwischen Arten von Speicher</translation>
    </message>
    <message>
        <source>Nothing is copied.</source>
        <translation>Nichts wird kopiert.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CountDifferences</name>
    <message>
        <source>Only B has this operator.</source>
        <translation>Diesen Operator hat nur B.</translation>
    </message>
    <message>
        <source>Only A has this operator.</source>
        <translation>Diesen Operator hat nur A.</translation>
    </message>
    <message>
        <source>Nodes by operator in A and B</source>
        <translation>Knoten nach Operator in A und B</translation>
    </message>
    <message>
        <source>Both graphs have the same operators, each as often.</source>
        <translation>Beide Graphen haben dieselben Operatoren, jeden gleich oft.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DecisionModel</name>
    <message>
        <source>%1, is kept float</source>
        <translation>%1, bleibt Gleitkomma</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DecisionPanel</name>
    <message>
        <source>integers</source>
        <translation>Ganzzahlen</translation>
    </message>
    <message>
        <source>float</source>
        <translation>Gleitkomma</translation>
    </message>
    <message>
        <source>Nodes and why</source>
        <translation>Knoten und warum</translation>
    </message>
    <message>
        <source>Quantize again</source>
        <translation>Erneut quantisieren</translation>
    </message>
    <message>
        <source>After quantizing, every node stands here with why it was quantized or not.</source>
        <translation>Nach dem Quantisieren steht hier jeder Knoten mit dem Grund, warum er quantisiert wurde oder nicht.</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filter of nodes</source>
        <translation>Filter der Knoten</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n node(s) quantized</source>
        <translation>
            <numerusform>%1 von %n Knoten quantisiert</numerusform>
            <numerusform>%1 von %n Knoten quantisiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Quantize again, %1 float</source>
        <translation>Erneut quantisieren, %1 Gleitkomma</translation>
    </message>
    <message>
        <source>SQNR of the outputs with it alone in integers: low is bad</source>
        <translation>SQNR der Ausgaben, wenn nur er in Ganzzahlen rechnet: niedrig ist schlecht</translation>
    </message>
    <message>
        <source>Its share of the noise of all</source>
        <translation>Sein Anteil am Rauschen aller</translation>
    </message>
    <message>
        <source>&amp;Rank</source>
        <translation>&amp;Rangfolge</translation>
    </message>
    <message>
        <source>What costs accuracy</source>
        <translation>Was Genauigkeit kostet</translation>
    </message>
    <message>
        <source>Quantize each node alone, to see which cost accuracy and whether weights or activations are to blame</source>
        <translation>Jeden Knoten allein quantisieren, um zu sehen, welche Genauigkeit kosten und ob Gewichte oder Aktivierungen schuld sind</translation>
    </message>
    <message>
        <source>Each node is quantized alone …</source>
        <translation>Jeder Knoten wird allein quantisiert …</translation>
    </message>
    <message>
        <source>Weights alone %1, activations alone %2, both %3.</source>
        <translation>Gewichte allein %1, Aktivierungen allein %2, beide %3.</translation>
    </message>
    <message>
        <source>With the ticked nodes float about %1 are expected.</source>
        <translation>Mit den angekreuzten Knoten in Gleitkomma sind etwa %1 zu erwarten.</translation>
    </message>
    <message>
        <source>Tick nodes to see what keeping them float would give.</source>
        <translation>Knoten ankreuzen, um zu sehen, was Gleitkomma für sie brächte.</translation>
    </message>
    <message numerus="yes">
        <source>The time was over before %n other(s) were tried.</source>
        <translation>
            <numerusform>Die Zeit war um, bevor %n weiterer probiert war.</numerusform>
            <numerusform>Die Zeit war um, bevor %n weitere probiert waren.</numerusform>
        </translation>
    </message>
    <message>
        <source>The best recipe once more, with the ticked nodes kept float and the types chosen for weights</source>
        <translation>Noch einmal das beste Rezept, wobei die angekreuzten Knoten Gleitkomma bleiben und Gewichte die gewählten Typen haben</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>As the recipe</source>
        <translation>Wie das Rezept</translation>
    </message>
    <message>
        <source>Another type for the weights of the selected nodes, in static recipes and in blocks</source>
        <translation>Ein anderer Typ für die Gewichte der gewählten Knoten, in statischen Rezepten und in Blöcken</translation>
    </message>
    <message>
        <source>choose the nodes kept float</source>
        <translation>Knoten wählen, die Gleitkomma bleiben</translation>
    </message>
    <message>
        <source>choose the type of weights</source>
        <translation>den Typ von Gewichten wählen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DecoderTable</name>
    <message>
        <source>Decoders side by side</source>
        <translation>Decoder nebeneinander</translation>
    </message>
    <message>
        <source>A line for each variant of the model: float, and those made on the Quantize page. Perplexity, divergence and changed tokens need a text: drop one here.</source>
        <translation>Eine Zeile je Variante des Modells: float und was auf der Seite „Quantisieren“ entstand. Perplexität, Divergenz und geänderte Token brauchen einen Text: hier ablegen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DecodersPanel</name>
    <message>
        <source>Choose …</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>drop a text here</source>
        <translation>Text hier ablegen</translation>
    </message>
    <message>
        <source>Te&amp;xt</source>
        <translation>Te&amp;xt</translation>
    </message>
    <message>
        <source>A file of text that every variant has to predict, token by token. Without a tokenizer.json beside the model it has numbers of tokens, with spaces between them.</source>
        <translation>Eine Textdatei, die jede Variante Token für Token vorhersagen muss. Ohne tokenizer.json neben dem Modell enthält sie Nummern von Token mit Leerzeichen dazwischen.</translation>
    </message>
    <message>
        <source>Choose the file of text</source>
        <translation>Die Textdatei wählen</translation>
    </message>
    <message>
        <source>&amp;Up to</source>
        <translation>&amp;Höchstens</translation>
    </message>
    <message>
        <source>Tokens of the text that are taken: more give narrower errors, and take longer</source>
        <translation>So viele Token des Textes werden genommen: mehr ergeben kleinere Fehler und dauern länger</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
    <message>
        <source>Caches in &amp;float16 too</source>
        <translation>Caches auch in &amp;float16</translation>
    </message>
    <message>
        <source>Measure each variant once more with its keys and values in float16, which take half the memory and half the reading</source>
        <translation>Jede Variante noch einmal mit Schlüsseln und Werten in float16 messen, die halb so viel Speicher und halb so viel Lesen brauchen</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>What the result rests on</source>
        <translation>Worauf das Ergebnis beruht</translation>
    </message>
    <message>
        <source>Progress of measuring</source>
        <translation>Fortschritt der Messung</translation>
    </message>
    <message>
        <source>Text to predict</source>
        <translation>Vorherzusagender Text</translation>
    </message>
    <message>
        <source>Texts (*.txt *.md *.ids)</source>
        <translation>Texte (*.txt *.md *.ids)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>Messung läuft …</translation>
    </message>
    <message>
        <source>How many bits can it lose? Press Measure: every variant of the model is run at 128 to 1,024 tokens of context.</source>
        <translation>Wie viele Bits kann es verlieren? „Messen“ lässt jede Variante des Modells bei 128 bis 1.024 Token Kontext laufen.</translation>
    </message>
    <message>
        <source>Sto&amp;p</source>
        <translation>Sto&amp;pp</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>&amp;Messen</translation>
    </message>
    <message>
        <source>Stop; what was measured is kept</source>
        <translation>Anhalten; was gemessen ist, bleibt</translation>
    </message>
    <message>
        <source>Measure all variants, one after another</source>
        <translation>Alle Varianten nacheinander messen</translation>
    </message>
    <message>
        <source>making the variants</source>
        <translation>Varianten entstehen</translation>
    </message>
    <message>
        <source>as on Run</source>
        <translation>wie bei „Lauf“</translation>
    </message>
    <message>
        <source>Thr&amp;eads</source>
        <translation>Thr&amp;eads</translation>
    </message>
    <message>
        <source>Numbers of threads with commas between them: each variant is measured with each of them</source>
        <translation>Anzahlen von Threads mit Kommas dazwischen: Jede Variante wird mit jeder davon gemessen</translation>
    </message>
    <message>
        <source>Advice on the chosen variant</source>
        <translation>Rat zur gewählten Variante</translation>
    </message>
    <message>
        <source>this is the only variant: Quantize makes others</source>
        <translation>dies ist die einzige Variante: „Quantisieren“ macht weitere</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DiagnosticsDialog</name>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>For those who look for a fault: versions, machine, settings and the log. Names of models, nodes and folders are left out, and nothing is sent: look it over, then pass it on.</source>
        <translation>Für die Fehlersuche: Versionen, Rechner, Einstellungen und das Protokoll. Namen von Modellen, Knoten und Ordnern sind weggelassen, und nichts wird gesendet: durchsehen, dann weitergeben.</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Save …</source>
        <translation>&amp;Speichern …</translation>
    </message>
    <message>
        <source>Save diagnostics</source>
        <translation>Diagnose speichern</translation>
    </message>
    <message>
        <source>Texts (*.txt)</source>
        <translation>Texte (*.txt)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DiffView</name>
    <message>
        <source>Graph before</source>
        <translation>Graph davor</translation>
    </message>
    <message>
        <source>Graph after</source>
        <translation>Graph danach</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Before the step</source>
        <translation>Vor dem Schritt</translation>
    </message>
    <message>
        <source>After step %1</source>
        <translation>Nach Schritt %1</translation>
    </message>
    <message>
        <source>%1 · %2 · %3%4 go</source>
        <translation>%1 · %2 · %3%4 gehen</translation>
    </message>
    <message>
        <source>%1 over %2 · %3 · %4%5 go, +%6 come</source>
        <translation>%1 über %2 · %3 · %4%5 gehen, +%6 kommen</translation>
    </message>
    <message>
        <source>%1 · %2 · +%3 come</source>
        <translation>%1 · %2 · +%3 kommen</translation>
    </message>
    <message>
        <source>%1, the result · %2 · %3%4 went, +%5 came</source>
        <translation>%1, das Ergebnis · %2 · %3%4 gingen, +%5 kamen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DifferencePanel</name>
    <message>
        <source>&amp;Find where it starts</source>
        <translation>&amp;Finden, wo es beginnt</translation>
    </message>
    <message>
        <source>Check a &amp;recording …</source>
        <translation>Aufzeichnung &amp;prüfen …</translation>
    </message>
    <message>
        <source>Show in the graph</source>
        <translation>Im Graphen zeigen</translation>
    </message>
    <message>
        <source>Nodes that are the cause</source>
        <translation>Knoten, die die Ursache sind</translation>
    </message>
    <message>
        <source>Run A and B side by side and name the first node that makes another output of the same inputs</source>
        <translation>A und B nebeneinander ausführen und den ersten Knoten nennen, der aus denselben Eingaben eine andere Ausgabe macht</translation>
    </message>
    <message>
        <source>Hold the opened model against what record.py wrote beside the original program; such a file can be dropped on this page, too</source>
        <translation>Das geöffnete Modell mit dem vergleichen, was record.py neben dem ursprünglichen Programm geschrieben hat; eine solche Datei kann auch auf diese Seite gezogen werden</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
    <message>
        <source>Difference along the graph</source>
        <translation>Unterschied entlang des Graphen</translation>
    </message>
    <message>
        <source>Values in the order of data flow</source>
        <translation>Werte in der Reihenfolge des Datenflusses</translation>
    </message>
    <message>
        <source>Share of the largest element</source>
        <translation>Anteil am größten Element</translation>
    </message>
    <message>
        <source>Only rounding: no node is the cause.</source>
        <translation>Nur Rundung: kein Knoten ist die Ursache.</translation>
    </message>
    <message>
        <source>Looking for where it starts …</source>
        <translation>Es wird gesucht, wo es beginnt …</translation>
    </message>
    <message>
        <source>The search failed</source>
        <translation>Die Suche ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>Not searched yet. Press Find: A and B run on the same inputs, every value that both have is compared, and the first node is named that makes another output of the same inputs. What rounding explains is blamed on nothing.</source>
        <translation>Noch nicht gesucht. Drücken Sie Finden: A und B laufen mit denselben Eingaben, jeder Wert, den beide haben, wird verglichen, und der erste Knoten wird genannt, der aus denselben Eingaben eine andere Ausgabe macht. Was Rundung erklärt, wird keinem Knoten angelastet.</translation>
    </message>
    <message>
        <source>Of what %1 is computed from</source>
        <translation>Von dem, woraus %1 berechnet wird</translation>
    </message>
    <message>
        <source>The two runs</source>
        <translation>Die beiden Läufe</translation>
    </message>
    <message>
        <source>Rounding explains</source>
        <translation>Rundung erklärt</translation>
    </message>
    <message>
        <source>The node alone</source>
        <translation>Der Knoten allein</translation>
    </message>
    <message>
        <source>The variant that is shown does not have this node; show another one first.</source>
        <translation>Die gezeigte Variante hat diesen Knoten nicht; zeigen Sie erst eine andere.</translation>
    </message>
    <message>
        <source>A recording</source>
        <translation>Eine Aufzeichnung</translation>
    </message>
    <message>
        <source>Recordings (*.npz *.json)</source>
        <translation>Aufzeichnungen (*.npz *.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Check against %1</source>
        <translation>Mit %1 vergleichen</translation>
    </message>
    <message>
        <source>The outputs agree with %1.</source>
        <translation>Die Ausgaben stimmen mit %1 überein.</translation>
    </message>
    <message>
        <source>The outputs differ from %1.</source>
        <translation>Die Ausgaben weichen von %1 ab.</translation>
    </message>
    <message>
        <source>%1 could not be checked</source>
        <translation>%1 konnte nicht geprüft werden</translation>
    </message>
    <message>
        <source>Checking against %1 …</source>
        <translation>Vergleich mit %1 …</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Every value agrees.</source>
        <translation>Alle Werte stimmen überein.</translation>
    </message>
    <message>
        <source>A holds its large weights in %1.</source>
        <translation>A hält seine großen Gewichte in %1.</translation>
    </message>
    <message>
        <source>B holds its large weights in %1.</source>
        <translation>B hält seine großen Gewichte in %1.</translation>
    </message>
    <message>
        <source>The value at the chosen place of the curve</source>
        <translation>Der Wert an der gewählten Stelle der Kurve</translation>
    </message>
    <message>
        <source>%1: the two runs differ by %2, rounding explains %3.</source>
        <translation>%1: die beiden Läufe unterscheiden sich um %2, Rundung erklärt %3.</translation>
    </message>
    <message>
        <source>The node alone: %1.</source>
        <translation>Der Knoten allein: %1.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DistributionCanvas</name>
    <message>
        <source>Distribution of the difference</source>
        <translation>Verteilung des Unterschieds</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n round(s)</source>
        <translation>
            <numerusform>%1: %n Runde</numerusform>
            <numerusform>%1: %n Runden</numerusform>
        </translation>
    </message>
    <message>
        <source>Press Compare: A and B run in turn, and each round gives one difference.</source>
        <translation>„Vergleichen“ lässt A und B abwechselnd laufen; jede Runde ergibt einen Unterschied.</translation>
    </message>
    <message>
        <source>Time of B against A in the same round; the band is the 95 % interval of the median</source>
        <translation>Zeit von B gegen A in derselben Runde; das Band ist das 95-%-Intervall des Medians</translation>
    </message>
    <message>
        <source>▲ B faster</source>
        <translation>▲ B schneller</translation>
    </message>
    <message>
        <source>▼ B slower</source>
        <translation>▼ B langsamer</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DistributionView</name>
    <message>
        <source>Rounds in which both ran</source>
        <translation>Runden, in denen beide liefen</translation>
    </message>
    <message>
        <source>Nothing was measured yet.</source>
        <translation>Noch wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>A: %1</source>
        <translation>A: %1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B: %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DropZone</name>
    <message>
        <source>Or drop a model, a project or a trace anywhere. It is read on this computer and goes nowhere else.</source>
        <translation>Oder legen Sie ein Modell, ein Projekt oder eine Aufzeichnung irgendwo ab. Es wird auf diesem Rechner gelesen und geht nirgendwo sonst hin.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EarlierModel</name>
    <message>
        <source>Keep a copy of %1</source>
        <translation>%1 als Kopie behalten</translation>
    </message>
    <message>
        <source>Compare with before</source>
        <translation>Mit vorher vergleichen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EditDialog</name>
    <message>
        <source>&amp;Make a variant</source>
        <translation>&amp;Variante erstellen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>%1 bearbeiten</translation>
    </message>
    <message>
        <source>Edits, one a line</source>
        <translation>Bearbeitungen, eine je Zeile</translation>
    </message>
    <message>
        <source>What the lines are for</source>
        <translation>Wofür die Zeilen sind</translation>
    </message>
    <message>
        <source>No line: the variant is the level alone.</source>
        <translation>Keine Zeile: die Variante ist die Stufe allein.</translation>
    </message>
    <message>
        <source>Making what the level makes …</source>
        <translation>Das Ergebnis der Stufe wird erzeugt …</translation>
    </message>
    <message>
        <source>delete op:Dropout
rename input x -&gt; image</source>
        <translation>delete op:Dropout
rename input x -&gt; image</translation>
    </message>
    <message>
        <source>The command that repeats this</source>
        <translation>Der Befehl, der das wiederholt</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>The command that repeats this:</source>
        <translation>Der Befehl, der das wiederholt:</translation>
    </message>
    <message>
        <source>Find an edit</source>
        <translation>Bearbeitung suchen</translation>
    </message>
    <message>
        <source>All edits</source>
        <translation>Alle Bearbeitungen</translation>
    </message>
    <message>
        <source>Try edits</source>
        <translation>Bearbeitungen ausprobieren</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>Es wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Nodes: %1, %2 before. These edits should keep all results.</source>
        <translation>Knoten: %1, vorher %2. Diese Bearbeitungen sollten alle Ergebnisse erhalten.</translation>
    </message>
    <message>
        <source>Nodes: %1, %2 before. These edits may change results.</source>
        <translation>Knoten: %1, vorher %2. Diese Bearbeitungen können Ergebnisse ändern.</translation>
    </message>
    <message>
        <source>The edited model becomes a variant; the opened file stays</source>
        <translation>Das bearbeitete Modell wird eine Variante; die geöffnete Datei bleibt</translation>
    </message>
    <message>
        <source>Write a line that can be done first</source>
        <translation>Zuerst eine ausführbare Zeile schreiben</translation>
    </message>
    <message>
        <source>No line yet: choose an edit at the right, or write one.</source>
        <translation>Noch keine Zeile: rechts eine Bearbeitung wählen oder eine schreiben.</translation>
    </message>
    <message>
        <source>Trying the lines …</source>
        <translation>Die Zeilen werden ausprobiert …</translation>
    </message>
    <message>
        <source>edit the model</source>
        <translation>Modell bearbeiten</translation>
    </message>
    <message>
        <source>Edits; Enter opens the form of one</source>
        <translation>Bearbeitungen; die Eingabetaste öffnet das Formular</translation>
    </message>
    <message>
        <source>&amp;Write it into the script</source>
        <translation>&amp;Ins Skript schreiben</translation>
    </message>
    <message>
        <source>✕ The model is not valid after these edits: %1: %2</source>
        <translation>✕ Nach diesen Bearbeitungen ist das Modell nicht gültig: %1: %2</translation>
    </message>
    <message>
        <source>Make it although the model becomes invalid</source>
        <translation>Erzeugen, obwohl das Modell ungültig wird</translation>
    </message>
    <message>
        <source>What is invalid is shown in red until another edit mends it</source>
        <translation>Was ungültig ist, wird rot gezeigt, bis eine andere Bearbeitung es behebt</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Before the level: the model as opened</source>
        <translation>Vor der Stufe: das Modell, wie es geöffnet wurde</translation>
    </message>
    <message>
        <source>After the level: what %1 makes</source>
        <translation>Nach der Stufe: was %1 erzeugt</translation>
    </message>
    <message>
        <source>The lines are applied last, after %1.</source>
        <translation>Die Zeilen werden zuletzt angewendet, nach %1.</translation>
    </message>
    <message>
        <source>After the lines comes what is in force now: %1.</source>
        <translation>Nach den Zeilen kommt, was jetzt in Kraft ist: %1.</translation>
    </message>
    <message>
        <source>rename node * -&gt; fast/*</source>
        <translation>rename node * -&gt; fast/*</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EditEffects</name>
    <message>
        <source>What each line does</source>
        <translation>Was jede Zeile tut</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was sie tut</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>%1 entfernt</translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>%1 hinzugefügt</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 geändert</translation>
    </message>
    <message>
        <source>%1 types changed</source>
        <translation>%1 Typen geändert</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EditFormDialog</name>
    <message>
        <source>&amp;Apply</source>
        <translation>&amp;Anwenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Edit: %1</source>
        <translation>Bearbeiten: %1</translation>
    </message>
    <message>
        <source>The line of the script</source>
        <translation>Die Zeile des Skripts</translation>
    </message>
    <message>
        <source>Apply although the model becomes invalid</source>
        <translation>Anwenden, obwohl das Modell ungültig wird</translation>
    </message>
    <message>
        <source>What is invalid is shown in red until another edit mends it</source>
        <translation>Was ungültig ist, wird rot gezeigt, bis eine andere Bearbeitung es behebt</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Still needed: %1.</source>
        <translation>Noch nötig: %1.</translation>
    </message>
    <message>
        <source>Nothing changes yet.</source>
        <translation>Noch ändert sich nichts.</translation>
    </message>
    <message>
        <source>Trying the edit …</source>
        <translation>Die Bearbeitung wird versucht …</translation>
    </message>
    <message>
        <source>It can be done and should keep all results.</source>
        <translation>Es ist möglich und sollte alle Ergebnisse erhalten.</translation>
    </message>
    <message>
        <source>It can be done and may change results.</source>
        <translation>Es ist möglich und kann Ergebnisse ändern.</translation>
    </message>
    <message>
        <source>It can be done. Apply writes both files; the first part is shown afterwards.</source>
        <translation>Es ist möglich. Anwenden schreibt beide Dateien; danach wird der erste Teil gezeigt.</translation>
    </message>
    <message>
        <source>✕ The model is not valid after this edit: %1: %2</source>
        <translation>✕ Das Modell ist nach dieser Bearbeitung nicht gültig: %1: %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EditTrial</name>
    <message>
        <source>The model that is edited is not made yet.</source>
        <translation>Das Modell, das bearbeitet wird, ist noch nicht erzeugt.</translation>
    </message>
    <message>
        <source>Try edits</source>
        <translation>Bearbeitungen versuchen</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>Es wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Write the parts of a model</source>
        <translation>Die Teile eines Modells schreiben</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EditVerbList</name>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Names and connections</source>
        <translation>Namen und Verbindungen</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>Ein- und Ausgaben</translation>
    </message>
    <message>
        <source>Weights and element types</source>
        <translation>Gewichte und Elementtypen</translation>
    </message>
    <message>
        <source>Parts of models</source>
        <translation>Teile von Modellen</translation>
    </message>
    <message>
        <source>Before inputs and behind outputs</source>
        <translation>Vor Eingaben und hinter Ausgaben</translation>
    </message>
    <message>
        <source>The model as a whole</source>
        <translation>Das Modell als Ganzes</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EmptyState</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EnginePanel</name>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>A difference: the intervals of all rows together leave out 0 here.</source>
        <translation>Ein Unterschied: die Intervalle aller Zeilen zusammen lassen hier die 0 aus.</translation>
    </message>
    <message>
        <source>No difference beyond noise.</source>
        <translation>Kein Unterschied über das Rauschen hinaus.</translation>
    </message>
    <message>
        <source>B is slower</source>
        <translation>B ist langsamer</translation>
    </message>
    <message>
        <source>B is faster</source>
        <translation>B ist schneller</translation>
    </message>
    <message>
        <source>Compare node by node</source>
        <translation>Knoten für Knoten vergleichen</translation>
    </message>
    <message>
        <source>Another ONNX Runtime …</source>
        <translation>Andere ONNX Runtime …</translation>
    </message>
    <message>
        <source>Two engines by node</source>
        <translation>Zwei Engines nach Knoten</translation>
    </message>
    <message>
        <source>Engine A</source>
        <translation>Engine A</translation>
    </message>
    <message>
        <source>Engine B</source>
        <translation>Engine B</translation>
    </message>
    <message>
        <source>Run the opened model in both engines in turn, recorded node by node, and name the nodes in which one is slower</source>
        <translation>Das geöffnete Modell abwechselnd in beiden Engines laufen lassen, Knoten für Knoten aufgezeichnet, und die Knoten nennen, in denen eine langsamer ist</translation>
    </message>
    <message>
        <source>Take another release: a library of ONNX Runtime, or a Python interpreter that has its package</source>
        <translation>Eine andere Version nehmen: eine Bibliothek von ONNX Runtime oder einen Python-Interpreter, der das Paket hat</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>This program, all</source>
        <translation>Dieses Programm, all</translation>
    </message>
    <message>
        <source>This program, disabled</source>
        <translation>Dieses Programm, disabled</translation>
    </message>
    <message>
        <source>Choose two engines, or two releases of ONNX Runtime, and press Compare node by node: both run the opened model in turn.</source>
        <translation>Zwei Engines oder zwei Versionen von ONNX Runtime wählen und „Knoten für Knoten vergleichen“ drücken: beide führen abwechselnd das geöffnete Modell aus.</translation>
    </message>
    <message>
        <source>Compare %1 with %2 node by node</source>
        <translation>%1 Knoten für Knoten mit %2 vergleichen</translation>
    </message>
    <message>
        <source>The engines could not be compared</source>
        <translation>Die Engines konnten nicht verglichen werden</translation>
    </message>
    <message>
        <source>Comparing node by node …</source>
        <translation>Knoten für Knoten wird verglichen …</translation>
    </message>
    <message>
        <source>A: %1, %2 a run. B: %3, %4 a run. B less A: %5 to %6, in %7 pairs of recorded runs.</source>
        <translation>A: %1, %2 je Lauf. B: %3, %4 je Lauf. B minus A: %5 bis %6, in %7 Paaren aufgezeichneter Läufe.</translation>
    </message>
    <message>
        <source>Neither engine recorded a node.</source>
        <translation>Keine der Engines hat einen Knoten aufgezeichnet.</translation>
    </message>
    <message>
        <source>Another ONNX Runtime</source>
        <translation>Andere ONNX Runtime</translation>
    </message>
    <message>
        <source>ONNX Runtime in %1</source>
        <translation>ONNX Runtime in %1</translation>
    </message>
    <message>
        <source>Engine A</source>
        <translation>Engine A</translation>
    </message>
    <message>
        <source>Engine B</source>
        <translation>Engine B</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ExportDialog</name>
    <message>
        <source>Weights in a file beside it, from</source>
        <translation>Gewichte in einer Datei daneben, ab</translation>
    </message>
    <message>
        <source>Fixed batch size</source>
        <translation>Feste Batchgröße</translation>
    </message>
    <message>
        <source>Export %1 · %2</source>
        <translation>%1 · %2 exportieren</translation>
    </message>
    <message>
        <source>&amp;Browse …</source>
        <translation>&amp;Durchsuchen …</translation>
    </message>
    <message>
        <source>File to write</source>
        <translation>Zu schreibende Datei</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>The command that repeats this</source>
        <translation>Der Befehl, der dies wiederholt</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>&amp;Copy command</source>
        <translation>Befehl &amp;kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The command that repeats this:</source>
        <translation>Der Befehl, der dies wiederholt:</translation>
    </message>
    <message>
        <source>For whom</source>
        <translation>Für wen</translation>
    </message>
    <message>
        <source>As e&amp;dited</source>
        <translation>Wie &amp;bearbeitet</translation>
    </message>
    <message>
        <source>What the edits make and nothing else: the file that lapidary-cli edit writes.
Requires: what the model requires</source>
        <translation>Was die Bearbeitungen ergeben und nichts sonst: die Datei, die lapidary-cli edit schreibt.
Setzt voraus: was das Modell voraussetzt</translation>
    </message>
    <message>
        <source>&amp;This CPU</source>
        <translation>&amp;Diese CPU</translation>
    </message>
    <message>
        <source>P&amp;lain ONNX</source>
        <translation>&amp;Schlichtes ONNX</translation>
    </message>
    <message>
        <source>P&amp;ortable</source>
        <translation>P&amp;ortabel</translation>
    </message>
    <message>
        <source>Requires: %1</source>
        <translation>Setzt voraus: %1</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source> kB</source>
        <translation> kB</translation>
    </message>
    <message>
        <source>Smallest weight that goes into the file beside it</source>
        <translation>Kleinstes Gewicht, das in die Datei daneben kommt</translation>
    </message>
    <message>
        <source>Above 2 GB weights always go into a separate file</source>
        <translation>Über 2 GB kommen Gewichte immer in eine eigene Datei</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <source>The first dimension of every input that has no number gets this size</source>
        <translation>Die erste Dimension jeder Eingabe ohne Zahl bekommt diese Größe</translation>
    </message>
    <message>
        <source>stays free</source>
        <translation>bleibt frei</translation>
    </message>
    <message>
        <source>Size of dimension %1</source>
        <translation>Größe der Dimension %1</translation>
    </message>
    <message>
        <source>Dimension %1</source>
        <translation>Dimension %1</translation>
    </message>
    <message>
        <source>Outputs to keep</source>
        <translation>Zu behaltende Ausgaben</translation>
    </message>
    <message>
        <source>Contains the model as it was opened.</source>
        <translation>Enthält das Modell, wie es geöffnet wurde.</translation>
    </message>
    <message>
        <source>Contains the model optimized: %1.</source>
        <translation>Enthält das optimierte Modell: %1.</translation>
    </message>
    <message>
        <source>This target goes no further than %1.</source>
        <translation>Dieses Ziel geht nicht weiter als %1.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Keep at least one output.</source>
        <translation>Mindestens eine Ausgabe behalten.</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>Exportieren nach</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX-Modelle (*.onnx)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>This is the file that is open. Write the optimized model over the original?</source>
        <translation>Das ist die geöffnete Datei. Das optimierte Modell über das Original schreiben?</translation>
    </message>
    <message>
        <source>%1 exists. Replace it?</source>
        <translation>%1 gibt es schon. Ersetzen?</translation>
    </message>
    <message>
        <source>&amp;Overwrite the original</source>
        <translation>Original ü&amp;berschreiben</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>&amp;Ersetzen</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>✓ Wrote %1</source>
        <translation>✓ %1 geschrieben</translation>
    </message>
    <message>
        <source>The export was cancelled; nothing was written.</source>
        <translation>Der Export wurde abgebrochen; nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>Exporting …</source>
        <translation>Wird exportiert …</translation>
    </message>
    <message>
        <source>Contains the model quantized: %1.</source>
        <translation>Enthält das quantisierte Modell: %1.</translation>
    </message>
    <message>
        <source>%1 takes %2 here.</source>
        <translation>%1 braucht hier %2.</translation>
    </message>
    <message>
        <source>In force is %1.</source>
        <translation>In Kraft ist %1.</translation>
    </message>
    <message>
        <source>Contains the edited model; lines of edits: %1.</source>
        <translation>Enthält das bearbeitete Modell; Zeilen der Bearbeitung: %1.</translation>
    </message>
    <message>
        <source>Run at level %1 it takes %2 here.</source>
        <translation>Auf Stufe %1 ausgeführt braucht es hier %2.</translation>
    </message>
    <message>
        <source>The other targets have these options.</source>
        <translation>Die anderen Ziele haben diese Optionen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ExportPreview</name>
    <message>
        <source>What the file will hold</source>
        <translation>Was die Datei enthalten wird</translation>
    </message>
    <message>
        <source>Looking at what it will hold …</source>
        <translation>Sieht nach, was sie enthalten wird …</translation>
    </message>
    <message>
        <source>Look at the export</source>
        <translation>Export ansehen</translation>
    </message>
    <message>
        <source>%1, %2 of weights. Needs: %3.</source>
        <translation>%1, %2 an Gewichten. Braucht: %3.</translation>
    </message>
    <message>
        <source>Here the level leaves %1; this target writes some of them as several nodes.</source>
        <translation>Hier lässt die Stufe %1 übrig; dieses Ziel schreibt manche davon als mehrere Knoten.</translation>
    </message>
    <message>
        <source>Here weights take %1; this target writes further constants.</source>
        <translation>Hier nehmen Gewichte %1 ein; dieses Ziel schreibt weitere Konstanten.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::FaultCover</name>
    <message>
        <source>Show the node</source>
        <translation>Den Knoten zeigen</translation>
    </message>
    <message>
        <source>%1 cannot work on this model</source>
        <translation>%1 kann mit diesem Modell nicht arbeiten</translation>
    </message>
    <message>
        <source>It is not valid: %1</source>
        <translation>Es ist nicht gültig: %1</translation>
    </message>
    <message>
        <source>Undo “%1”</source>
        <translation>„%1“ rückgängig machen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::FileExports</name>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>The report was not saved</source>
        <translation>Der Bericht wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>Save a report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Web pages (*.html)</source>
        <translation>Webseiten (*.html)</translation>
    </message>
    <message>
        <source>Write %1</source>
        <translation>%1 schreiben</translation>
    </message>
</context>
<context>
    <name>lapidary::views::FileField</name>
    <message>
        <source>Browse …</source>
        <translation>Suchen …</translation>
    </message>
    <message>
        <source>%1: look for a file</source>
        <translation>%1: eine Datei suchen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GenerateCard</name>
    <message>
        <source>Quantize …</source>
        <translation>Quantisieren …</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Rat</translation>
    </message>
    <message>
        <source>What the result rests on</source>
        <translation>Worauf das Ergebnis beruht</translation>
    </message>
    <message>
        <source>Progress of generating</source>
        <translation>Fortschritt des Erzeugens</translation>
    </message>
    <message>
        <source>Open the page that makes weights smaller</source>
        <translation>Die Seite öffnen, die Gewichte verkleinert</translation>
    </message>
    <message>
        <source>Waiting for the first token …</source>
        <translation>Warten auf den ersten Token …</translation>
    </message>
    <message>
        <source>How fast will it talk? Press Generate to find out.</source>
        <translation>Wie schnell spricht es? „Erzeugen“ sagt es.</translation>
    </message>
    <message>
        <source>Tokens appear as they come; some are recorded to see where their time goes.</source>
        <translation>Tokens erscheinen, wie sie kommen; einige werden aufgezeichnet, um zu sehen, wohin ihre Zeit geht.</translation>
    </message>
    <message>
        <source>making the variant</source>
        <translation>die Variante entsteht</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GeneratePage</name>
    <message>
        <source>Generating failed</source>
        <translation>Das Erzeugen schlug fehl</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>Erzeugen</translation>
    </message>
    <message>
        <source>Generate tokens</source>
        <translation>Tokens erzeugen</translation>
    </message>
    <message>
        <source>Generate tokens behind the prompt, or stop it</source>
        <translation>Tokens hinter dem Prompt erzeugen oder anhalten</translation>
    </message>
    <message>
        <source>Copy the tokens</source>
        <translation>Die Tokens kopieren</translation>
    </message>
    <message>
        <source>Copy the generated tokens</source>
        <translation>Die erzeugten Tokens kopieren</translation>
    </message>
    <message>
        <source>Copy the generate command</source>
        <translation>Den Befehl generate kopieren</translation>
    </message>
    <message>
        <source>Copy the lapidary-cli command that generates the same</source>
        <translation>Den Befehl von lapidary-cli kopieren, der dasselbe erzeugt</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Tokens of context</source>
        <translation>Tokens des Kontexts</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory over the context</source>
        <translation>Speicher über dem Kontext</translation>
    </message>
    <message>
        <source>Milliseconds a token</source>
        <translation>Millisekunden je Token</translation>
    </message>
    <message>
        <source>Time of each token over the context</source>
        <translation>Zeit jedes Tokens über dem Kontext</translation>
    </message>
    <message>
        <source>Where a token&apos;s time goes</source>
        <translation>Wohin die Zeit eines Tokens geht</translation>
    </message>
    <message>
        <source>Figures of the tokens</source>
        <translation>Zahlen zu den Tokens</translation>
    </message>
    <message>
        <source>&amp;Latency</source>
        <translation>Laten&amp;z</translation>
    </message>
    <message>
        <source>Token p&amp;arts</source>
        <translation>Antei&amp;le</translation>
    </message>
    <message>
        <source>Memor&amp;y</source>
        <translation>Spei&amp;cher</translation>
    </message>
    <message>
        <source>A and &amp;B</source>
        <translation>A und &amp;B</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell ist offen</translation>
    </message>
    <message>
        <source>Open a language model that generates tokens, or take the sample Llama-160m from the start page. Here you will see how fast it talks, and why.</source>
        <translation>Öffnen Sie ein Sprachmodell, das Tokens erzeugt, oder nehmen Sie das Beispiel Llama-160m von der Startseite. Hier sehen Sie, wie schnell es spricht und warum.</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>This model does not generate tokens</source>
        <translation>Dieses Modell erzeugt keine Tokens</translation>
    </message>
    <message>
        <source>It is no decoder: %1. Open a language model with input_ids and logits, such as the sample Llama-160m.</source>
        <translation>Es ist kein Decoder: %1. Öffnen Sie ein Sprachmodell mit input_ids und Logits, etwa das Beispiel Llama-160m.</translation>
    </message>
    <message>
        <source>Choose a sample</source>
        <translation>Ein Beispiel wählen</translation>
    </message>
    <message>
        <source>Weights, caches and activations appear when a token has been recorded.</source>
        <translation>Gewichte, Caches und Aktivierungen erscheinen, wenn ein Token aufgezeichnet ist.</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>each token</source>
        <translation>jeder Token</translation>
    </message>
    <message>
        <source>The time of each token, as they come.</source>
        <translation>Die Zeit jedes Tokens, wie sie kommen.</translation>
    </message>
    <message>
        <source>Measuring failed</source>
        <translation>Messen fehlgeschlagen</translation>
    </message>
    <message>
        <source>Measure the decoder&apos;s variants</source>
        <translation>Varianten des Decoders messen</translation>
    </message>
    <message>
        <source>Measure all variants of the decoder side by side, or stop it</source>
        <translation>Alle Varianten des Decoders nebeneinander messen, oder das anhalten</translation>
    </message>
    <message>
        <source>Va&amp;riants</source>
        <translation>Va&amp;rianten</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GoalBar</name>
    <message>
        <source>safe without &amp;VNNI</source>
        <translation>sicher ohne &amp;VNNI</translation>
    </message>
    <message>
        <source>rotated</source>
        <translation>gedreht</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>geglättet</translation>
    </message>
    <message>
        <source>fitted blocks</source>
        <translation>angepasste Blöcke</translation>
    </message>
    <message>
        <source>compensated</source>
        <translation>kompensiert</translation>
    </message>
    <message>
        <source>Bits a weight</source>
        <translation>Bits je Gewicht</translation>
    </message>
    <message>
        <source>Bits that a weight takes on average at most, scales and zero points included: each weight gets the bits (4 or 8) and the block that pay most for the outputs</source>
        <translation>Bits, die ein Gewicht im Mittel höchstens braucht, mit Skalen und Nullpunkten: Jedes Gewicht bekommt die Bits (4 oder 8) und den Block, die den Ausgaben am meisten nützen</translation>
    </message>
    <message>
        <source>no bound</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>Spread large channels of a decoder&apos;s residual stream over all by a Hadamard matrix with random signs, which the weights on both sides take up</source>
        <translation>Große Kanäle im Residualstrom eines Decoders auf alle verteilen, durch eine Hadamard-Matrix mit zufälligen Vorzeichen, die die Gewichte auf beiden Seiten aufnehmen</translation>
    </message>
    <message>
        <source>Rows of weights that meet large inputs become larger, and inputs smaller, in the normalization or product in front (AWQ)</source>
        <translation>Zeilen von Gewichten, die auf große Eingaben treffen, werden größer, und Eingaben kleiner, in der Normalisierung oder dem Produkt davor (AWQ)</translation>
    </message>
    <message>
        <source>Search the scale and zero point of each block for the least error, weighted by the inputs that samples show</source>
        <translation>Skala und Nullpunkt jedes Blocks mit dem kleinsten Fehler suchen, gewichtet mit den Eingaben, die Beispiele zeigen</translation>
    </message>
    <message>
        <source>Let weights make up for the rounding of others (as GPTQ does); needs time</source>
        <translation>Gewichte das Runden anderer ausgleichen lassen (wie GPTQ); braucht Zeit</translation>
    </message>
    <message>
        <source> dB</source>
        <translation> dB</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>all recipes</source>
        <translation>alle Rezepte</translation>
    </message>
    <message>
        <source>Weights of 7 bits: x86 CPUs without VNNI add pairs of 8-bit products in 16 bits, which may overflow</source>
        <translation>Gewichte mit 7 Bit: x86-Prozessoren ohne VNNI addieren Paare von 8-Bit-Produkten in 16 Bit, was überlaufen kann</translation>
    </message>
    <message>
        <source>&amp;Bits</source>
        <translation>&amp;Bits</translation>
    </message>
    <message>
        <source>What becomes integers</source>
        <translation>Was zu Ganzzahlen wird</translation>
    </message>
    <message>
        <source>&amp;Goal</source>
        <translation>&amp;Ziel</translation>
    </message>
    <message>
        <source>Which of the recipes that were tried is the best</source>
        <translation>Welches der probierten Rezepte das beste ist</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>changed answers</source>
        <translation>geänderte Antworten</translation>
    </message>
    <message>
        <source>Floor o&amp;f</source>
        <translation>Grenze &amp;für</translation>
    </message>
    <message>
        <source>What bounds the fastest and the smallest: how little noise, or how few answers that change</source>
        <translation>Woran Schnellstes und Kleinstes gemessen werden: wie wenig Rauschen oder wie wenige geänderte Antworten</translation>
    </message>
    <message>
        <source>What the fastest and the smallest have to reach. SQNR, at least: 20 dB is visible, 30 good, 40 very good. Changed answers, at most: of the positions of the largest element</source>
        <translation>Was Schnellstes und Kleinstes erreichen müssen. SQNR mindestens: 20 dB sind sichtbar, 30 gut, 40 sehr gut. Geänderte Antworten höchstens: von den Stellen des größten Elements</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>F&amp;loor</source>
        <translation>&amp;Untergrenze</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>Z&amp;eit</translation>
    </message>
    <message>
        <source>Seconds after which no further recipe is begun</source>
        <translation>Sekunden, nach denen kein weiteres Rezept begonnen wird</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>&amp;Gewichte</translation>
    </message>
    <message>
        <source>How static recipes store weights; with 4 bits products run in float32</source>
        <translation>Wie statische Rezepte Gewichte speichern; mit 4 Bits rechnen Produkte in float32</translation>
    </message>
    <message>
        <source>Own t&amp;ypes</source>
        <translation>E&amp;igene Typen</translation>
    </message>
    <message>
        <source>Nodes or operators whose weights have a type of their own, as NAME=s8, u8, s4 or u4 with commas between; * stands for any characters</source>
        <translation>Knoten oder Operatoren, deren Gewichte einen eigenen Typ haben, als NAME=s8, u8, s4 oder u4 mit Kommas dazwischen; * steht für beliebige Zeichen</translation>
    </message>
    <message>
        <source>%1
Only for %2 and %3: see the field Bits.</source>
        <translation>%1
Nur für %2 und %3: siehe das Feld Bits.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphCanvas</name>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>The model drawn as a graph. Arrow keys follow the tensors; the table view lists the same nodes.</source>
        <translation>Das Modell als Graph gezeichnet. Die Pfeiltasten folgen den Tensoren; die Tabellenansicht führt dieselben Knoten auf.</translation>
    </message>
    <message>
        <source>Nothing selected; %1.</source>
        <translation>Nichts ausgewählt; %1.</translation>
    </message>
    <message>
        <source>Close group</source>
        <translation>Gruppe schließen</translation>
    </message>
    <message>
        <source>Open group</source>
        <translation>Gruppe öffnen</translation>
    </message>
    <message>
        <source>Copy description</source>
        <translation>Beschreibung kopieren</translation>
    </message>
    <message>
        <source>Zoom to selection</source>
        <translation>Auf die Auswahl zoomen</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>Alles einpassen</translation>
    </message>
    <message>
        <source>Group of %1</source>
        <translation>Gruppe aus %1</translation>
    </message>
    <message>
        <source>Input %1</source>
        <translation>Eingabe %1</translation>
    </message>
    <message>
        <source>Output %1</source>
        <translation>Ausgabe %1</translation>
    </message>
    <message>
        <source>Holds %1</source>
        <translation>Enthält %1</translation>
    </message>
    <message>
        <source>read by %1</source>
        <translation>gelesen von %1</translation>
    </message>
    <message>
        <source>Legend of the colours</source>
        <translation>Legende der Farben</translation>
    </message>
    <message>
        <source>Map of the drawing</source>
        <translation>Karte der Zeichnung</translation>
    </message>
    <message>
        <source>%1 is slow</source>
        <translation>%1 ist langsam</translation>
    </message>
    <message>
        <source>Selected nodes: %1.</source>
        <translation>Ausgewählte Knoten: %1.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphPage</name>
    <message>
        <source>A line is dragged within one graph: the main graph, or one body.</source>
        <translation>Eine Linie wird innerhalb eines Graphen gezogen: des Hauptgraphen oder eines Rumpfs.</translation>
    </message>
    <message>
        <source>Lay out again</source>
        <translation>Neu anordnen</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell ist offen</translation>
    </message>
    <message>
        <source>Open an ONNX model to see its graph, or drop a file on the window.</source>
        <translation>Ein ONNX-Modell öffnen, um seinen Graphen zu sehen, oder eine Datei auf dem Fenster ablegen.</translation>
    </message>
    <message>
        <source>Lay out %1</source>
        <translation>%1 anordnen</translation>
    </message>
    <message>
        <source>This model has no nodes</source>
        <translation>Dieses Modell hat keine Knoten</translation>
    </message>
    <message>
        <source>There is nothing to draw.</source>
        <translation>Es gibt nichts zu zeichnen.</translation>
    </message>
    <message>
        <source>The layout was cancelled</source>
        <translation>Die Anordnung wurde abgebrochen</translation>
    </message>
    <message>
        <source>Nothing is drawn yet.</source>
        <translation>Noch ist nichts gezeichnet.</translation>
    </message>
    <message>
        <source>The graph could not be drawn</source>
        <translation>Der Graph konnte nicht gezeichnet werden</translation>
    </message>
    <message>
        <source>Lay out the graph</source>
        <translation>Graph anordnen</translation>
    </message>
    <message>
        <source>The layout was cancelled; the drawing is unchanged.</source>
        <translation>Die Anordnung wurde abgebrochen; die Zeichnung ist unverändert.</translation>
    </message>
    <message>
        <source>Time per run</source>
        <translation>Zeit je Lauf</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Export the graph</source>
        <translation>Graph exportieren</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>Graph tools</source>
        <translation>Graph-Werkzeuge</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>Alles einpassen</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>Den ganzen Graphen zeigen</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>Originalgröße</translation>
    </message>
    <message>
        <source>Show the graph at 100 %</source>
        <translation>Den Graphen in 100 % zeigen</translation>
    </message>
    <message>
        <source>Open all groups</source>
        <translation>Alle Gruppen öffnen</translation>
    </message>
    <message>
        <source>Close all groups</source>
        <translation>Alle Gruppen schließen</translation>
    </message>
    <message>
        <source>Left to right</source>
        <translation>Von links nach rechts</translation>
    </message>
    <message>
        <source>Draw the graph from left to right instead of downwards</source>
        <translation>Den Graphen von links nach rechts statt nach unten zeichnen</translation>
    </message>
    <message>
        <source>Show constants</source>
        <translation>Konstanten zeigen</translation>
    </message>
    <message>
        <source>Draw Constant nodes too</source>
        <translation>Auch Konstantenknoten zeichnen</translation>
    </message>
    <message>
        <source>Table view</source>
        <translation>Tabellenansicht</translation>
    </message>
    <message>
        <source>Show the nodes as a table</source>
        <translation>Die Knoten als Tabelle zeigen</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>Farbe nach</translation>
    </message>
    <message>
        <source>What the colours of the boxes mean</source>
        <translation>Was die Farben der Kästen sagen</translation>
    </message>
    <message>
        <source>No colours</source>
        <translation>Keine Farben</translation>
    </message>
    <message>
        <source>Colour by type</source>
        <translation>Farbe nach Typ</translation>
    </message>
    <message>
        <source>Colour by time</source>
        <translation>Farbe nach Zeit</translation>
    </message>
    <message>
        <source>Find nodes</source>
        <translation>Knoten suchen</translation>
    </message>
    <message>
        <source>Find node or tensor</source>
        <translation>Knoten oder Tensor suchen</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n gefunden</numerusform>
            <numerusform>%n gefunden</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Export graph</source>
        <translation>Graph exportieren</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG-Zeichnung (*.svg)</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <source>Find out what nodes cost</source>
        <translation>Herausfinden, was Knoten kosten</translation>
    </message>
    <message>
        <source>Share of this machine&apos;s peak</source>
        <translation>Anteil an der Spitze dieser Maschine</translation>
    </message>
    <message>
        <source>Colour by share of peak</source>
        <translation>Farbe nach Anteil an der Spitze</translation>
    </message>
    <message>
        <source>Noise that quantizing left, as a share of the result</source>
        <translation>Rauschen, das die Quantisierung hinterließ, als Anteil am Ergebnis</translation>
    </message>
    <message>
        <source>Colour by loss in quantizing</source>
        <translation>Farbe nach Verlust beim Quantisieren</translation>
    </message>
    <message>
        <source>Mark nodes</source>
        <translation>Knoten markieren</translation>
    </message>
    <message>
        <source>Mark nodes of the graph by operator, node or tensor name, or by filters as in Find</source>
        <translation>Knoten des Graphen nach Operator, Knoten- oder Tensorname markieren, oder mit Filtern wie beim Suchen</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Provider</translation>
    </message>
    <message>
        <source>Colour by provider</source>
        <translation>Nach Provider färben</translation>
    </message>
    <message>
        <source>Save %1 as .npy …</source>
        <translation>%1 als .npy speichern …</translation>
    </message>
    <message>
        <source>Save the tensor</source>
        <translation>Tensor speichern</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy)</source>
        <translation>NumPy-Felder (*.npy)</translation>
    </message>
    <message>
        <source>Save the selection as a model</source>
        <translation>Auswahl als Modell speichern</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX-Modelle (*.onnx)</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>Write the selected node or group as a separate ONNX model</source>
        <translation>Den gewählten Knoten oder die Gruppe als eigenes ONNX-Modell schreiben</translation>
    </message>
    <message>
        <source>In columns</source>
        <translation>In Spalten</translation>
    </message>
    <message>
        <source>Draw what is much longer than wide in columns side by side</source>
        <translation>Was viel länger als breit ist, in Spalten nebeneinander zeichnen</translation>
    </message>
    <message>
        <source>Choose a node or a tensor of the graph first.</source>
        <translation>Wählen Sie zuerst einen Knoten oder Tensor des Graphen.</translation>
    </message>
    <message>
        <source>%1 marked</source>
        <translation>%1 markiert</translation>
    </message>
    <message>
        <source>Mark what it is made of</source>
        <translation>Markieren, woraus er entsteht</translation>
    </message>
    <message>
        <source>Mark all nodes that the selected one depends on</source>
        <translation>Alle Knoten markieren, von denen der gewählte abhängt</translation>
    </message>
    <message>
        <source>Mark what is made of it</source>
        <translation>Markieren, was aus ihm entsteht</translation>
    </message>
    <message>
        <source>Mark all nodes that depend on the selected one</source>
        <translation>Alle Knoten markieren, die vom gewählten abhängen</translation>
    </message>
    <message>
        <source>Mark what is near</source>
        <translation>Markieren, was nahe ist</translation>
    </message>
    <message>
        <source>Mark the nodes at most two tensors away from the selected one</source>
        <translation>Die Knoten markieren, die höchstens zwei Tensoren vom gewählten entfernt sind</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Time per run of %1, on original nodes</source>
        <translation>Zeit je Lauf von %1, auf ursprünglichen Knoten</translation>
    </message>
    <message>
        <source>Share of this machine&apos;s peak, run of %1</source>
        <translation>Anteil an der Spitzenleistung dieses Rechners, Lauf von %1</translation>
    </message>
    <message>
        <source>What was found is not drawn in this graph.</source>
        <translation>Was gefunden wurde, ist in diesem Graphen nicht gezeichnet.</translation>
    </message>
    <message>
        <source>Difference of A and B, as a share of the largest element</source>
        <translation>Unterschied von A und B, als Anteil am größten Element</translation>
    </message>
    <message>
        <source>Colour by difference</source>
        <translation>Farbe nach Unterschied</translation>
    </message>
    <message>
        <source>%1: nothing is known of that yet. Run, quantize or compare the model first; then it is shown.</source>
        <translation>%1: darüber ist noch nichts bekannt. Erst das Modell ausführen, quantisieren oder vergleichen; dann wird es gezeigt.</translation>
    </message>
    <message>
        <source>Look inside …</source>
        <translation>Hineinsehen …</translation>
    </message>
    <message>
        <source>Select what is marked</source>
        <translation>Markiertes auswählen</translation>
    </message>
    <message>
        <source>Select the nodes that a search or a command marked</source>
        <translation>Die Knoten auswählen, die eine Suche oder ein Befehl markiert hat</translation>
    </message>
    <message>
        <source>%1 · Ctrl+Z undoes it</source>
        <translation>%1 · Strg+Z macht es rückgängig</translation>
    </message>
    <message>
        <source>Nothing is marked: search for nodes first.</source>
        <translation>Nichts ist markiert: erst nach Knoten suchen.</translation>
    </message>
    <message>
        <source>Selected nodes: %1.</source>
        <translation>Ausgewählte Knoten: %1.</translation>
    </message>
    <message>
        <source>Drag the end of a line at a node onto another line, a node or an input of the model.</source>
        <translation>Das Ende einer Linie an einem Knoten auf eine andere Linie, einen Knoten oder einen Eingang des Modells ziehen.</translation>
    </message>
    <message>
        <source>The node reads this line inside of its body.</source>
        <translation>Der Knoten liest diese Linie in seinem Rumpf.</translation>
    </message>
    <message>
        <source>%1 selected; the Inspector shows the last one</source>
        <translation>%1 ausgewählt; der Inspektor zeigt das letzte davon</translation>
    </message>
    <message>
        <source>The edit is not done; the reason stands above.</source>
        <translation>Die Bearbeitung wurde nicht ausgeführt; der Grund steht oben.</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF-Dokument (*.pdf)</translation>
    </message>
    <message>
        <source>Print the graph</source>
        <translation>Graph drucken</translation>
    </message>
    <message>
        <source>Save the drawing as SVG, PDF or PNG</source>
        <translation>Die Zeichnung als SVG, PDF oder PNG speichern</translation>
    </message>
    <message>
        <source>Print …</source>
        <translation>Drucken …</translation>
    </message>
    <message>
        <source>Print the part of the graph that is seen</source>
        <translation>Den sichtbaren Teil des Graphen drucken</translation>
    </message>
    <message>
        <source>Follow the data</source>
        <translation>Den Daten folgen</translation>
    </message>
    <message>
        <source>Mark what is between</source>
        <translation>Markieren, was dazwischen liegt</translation>
    </message>
    <message>
        <source>Mark the nodes on the paths of data between the two selected ones</source>
        <translation>Die Knoten auf den Datenwegen zwischen den beiden gewählten markieren</translation>
    </message>
    <message>
        <source>Select two nodes first: click one, then the other with Shift held.</source>
        <translation>Wählen Sie zuerst zwei Knoten: einen anklicken, den anderen mit gehaltener Umschalttaste.</translation>
    </message>
    <message>
        <source>No data flows between the two selected nodes.</source>
        <translation>Zwischen den beiden gewählten Knoten fließen keine Daten.</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Show the part of the graph that was seen before</source>
        <translation>Den Teil des Graphen zeigen, der vorher zu sehen war</translation>
    </message>
    <message>
        <source>Show the part of the graph that was left by Back</source>
        <translation>Den Teil des Graphen zeigen, von dem man zurückging</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>Lesezeichen</translation>
    </message>
    <message>
        <source>Set or remove a bookmark at the selected nodes</source>
        <translation>An den gewählten Knoten ein Lesezeichen setzen oder entfernen</translation>
    </message>
    <message>
        <source>Mark the bookmarks</source>
        <translation>Die Lesezeichen markieren</translation>
    </message>
    <message>
        <source>Mark the nodes with bookmarks; Enter in the search field steps through them</source>
        <translation>Die Knoten mit Lesezeichen markieren; die Eingabetaste im Suchfeld geht sie durch</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>Stellen</translation>
    </message>
    <message>
        <source>Choose a node of the graph first.</source>
        <translation>Wählen Sie zuerst einen Knoten des Graphen.</translation>
    </message>
    <message>
        <source>Bookmarks: %1</source>
        <translation>Lesezeichen: %1</translation>
    </message>
    <message>
        <source>Laying out the graph …</source>
        <translation>Der Graph wird angeordnet …</translation>
    </message>
    <message>
        <source>Export graph …</source>
        <translation>Graph exportieren …</translation>
    </message>
    <message>
        <source>Save the selection as a model …</source>
        <translation>Auswahl als Modell speichern …</translation>
    </message>
    <message>
        <source>The graph could not be printed.</source>
        <translation>Der Graph konnte nicht gedruckt werden.</translation>
    </message>
    <message>
        <source>There is no bookmark here yet; Places ▸ Bookmark sets one.</source>
        <translation>Hier gibt es noch kein Lesezeichen; Stellen ▸ Lesezeichen setzt eines.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphPair</name>
    <message>
        <source>C&amp;hanges only</source>
        <translation>&amp;Nur Änderungen</translation>
    </message>
    <message>
        <source>Ne&amp;xt difference</source>
        <translation>Nä&amp;chster Unterschied</translation>
    </message>
    <message>
        <source>Groups in which nothing differs stay closed</source>
        <translation>Gruppen, in denen sich nichts unterscheidet, bleiben geschlossen</translation>
    </message>
    <message>
        <source>Go to the next node that only one of the two has, or that differs</source>
        <translation>Zum nächsten Knoten gehen, den nur einer der beiden hat oder der sich unterscheidet</translation>
    </message>
    <message>
        <source>Graph of A</source>
        <translation>Graph von A</translation>
    </message>
    <message>
        <source>Graph of B</source>
        <translation>Graph von B</translation>
    </message>
    <message>
        <source>Draw A and B side by side</source>
        <translation>A und B nebeneinander zeichnen</translation>
    </message>
    <message>
        <source>The drawing was cancelled.</source>
        <translation>Das Zeichnen wurde abgebrochen.</translation>
    </message>
    <message>
        <source>A · %1</source>
        <translation>A · %1</translation>
    </message>
    <message>
        <source>B · %1</source>
        <translation>B · %1</translation>
    </message>
    <message>
        <source>Every node of A stands in B, with the same operator, attributes and weights.</source>
        <translation>Jeder Knoten von A steht in B, mit demselben Operator, denselben Attributen und Gewichten.</translation>
    </message>
    <message>
        <source>Lay out the graph</source>
        <translation>Graph anordnen</translation>
    </message>
    <message>
        <source>Nodes only in A: %1, only in B: %2. In both, with another operator, attribute or weight: %3.</source>
        <translation>Knoten nur in A: %1, nur in B: %2. In beiden, mit anderem Operator, Attribut oder Gewicht: %3.</translation>
    </message>
    <message>
        <source>Laying out the graphs …</source>
        <translation>Die Graphen werden angeordnet …</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphSurgery</name>
    <message>
        <source>removed: %1</source>
        <translation>entfernt: %1</translation>
    </message>
    <message>
        <source>added: %1</source>
        <translation>hinzugefügt: %1</translation>
    </message>
    <message>
        <source>changed: %1</source>
        <translation>geändert: %1</translation>
    </message>
    <message>
        <source>%1 (nodes %2)</source>
        <translation>%1 (Knoten %2)</translation>
    </message>
    <message>
        <source>show it without a level</source>
        <translation>ohne Stufe zeigen</translation>
    </message>
    <message>
        <source>The edit before is still being made.</source>
        <translation>Die Bearbeitung davor läuft noch.</translation>
    </message>
    <message>
        <source>The model that is edited is not made yet.</source>
        <translation>Das Modell, das bearbeitet wird, ist noch nicht erzeugt.</translation>
    </message>
    <message>
        <source>Try %1</source>
        <translation>%1 probieren</translation>
    </message>
    <message>
        <source>the model is not valid then: %1: %2</source>
        <translation>das Modell ist dann nicht gültig: %1: %2</translation>
    </message>
    <message>
        <source>It is not done, because %1</source>
        <translation>Es geschieht nicht, denn %1</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>edit: %1</source>
        <translation>bearbeiten: %1</translation>
    </message>
    <message>
        <source>%1 was made by level %2 from: %3. Show the graph without its level to edit those, or write lines for what the level makes in Model › Edit ….</source>
        <translation>%1 hat Stufe %2 erzeugt aus: %3. Den Graphen ohne seine Stufe zeigen, um diese zu bearbeiten, oder unter Modell › Bearbeiten … Zeilen für das schreiben, was die Stufe erzeugt.</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>Kein Modell ist geöffnet.</translation>
    </message>
    <message>
        <source>A quantized model is not edited by hand: show the graph without its level, edit that, then quantize it.</source>
        <translation>Ein quantisiertes Modell wird nicht von Hand bearbeitet: den Graphen ohne seine Stufe zeigen, diesen bearbeiten, dann quantisieren.</translation>
    </message>
    <message>
        <source>The graph without its level is not made yet: show it first.</source>
        <translation>Der Graph ohne seine Stufe ist noch nicht erzeugt: erst zeigen.</translation>
    </message>
    <message>
        <source>This value was made by a level. Show the graph without its level to edit what it stands for.</source>
        <translation>Diesen Wert hat eine Stufe erzeugt. Den Graphen ohne seine Stufe zeigen, um zu bearbeiten, wofür er steht.</translation>
    </message>
    <message>
        <source>Select nodes of one graph: of the main graph, or of one body.</source>
        <translation>Knoten eines Graphen auswählen: des Hauptgraphen oder eines Rumpfes.</translation>
    </message>
    <message>
        <source>Show the graph without its level to edit bodies.</source>
        <translation>Den Graphen ohne seine Stufe zeigen, um Rümpfe zu bearbeiten.</translation>
    </message>
    <message>
        <source>This body cannot be edited by hand.</source>
        <translation>Dieser Rumpf lässt sich nicht von Hand bearbeiten.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphTable</name>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>No node fits.</source>
        <translation>Kein Knoten passt.</translation>
    </message>
    <message>
        <source>The edit is not done</source>
        <translation>Die Bearbeitung wurde nicht ausgeführt</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GuardPanel</name>
    <message>
        <source>Relative tolerance</source>
        <translation>Relative Toleranz</translation>
    </message>
    <message>
        <source>Absolute tolerance</source>
        <translation>Absolute Toleranz</translation>
    </message>
    <message>
        <source>Outputs compared</source>
        <translation>Verglichene Ausgaben</translation>
    </message>
    <message>
        <source>How many sets of generated inputs both models run on</source>
        <translation>Mit wie vielen Sätzen erzeugter Eingaben beide Modelle laufen</translation>
    </message>
    <message>
        <source>Sets of inputs</source>
        <translation>Sätze von Eingaben</translation>
    </message>
    <message>
        <source>&amp;Relative tolerance</source>
        <translation>&amp;Relative Toleranz</translation>
    </message>
    <message>
        <source>&amp;Absolute tolerance</source>
        <translation>&amp;Absolute Toleranz</translation>
    </message>
    <message>
        <source>&amp;Sets of inputs</source>
        <translation>&amp;Sätze von Eingaben</translation>
    </message>
    <message>
        <source>Compare %1 with the original</source>
        <translation>%1 mit dem Original vergleichen</translation>
    </message>
    <message>
        <source>The comparison was cancelled.</source>
        <translation>Der Vergleich wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The original does not run: %1</source>
        <translation>Das Original läuft nicht: %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Run both and compare</source>
        <translation>Beide ausführen und vergleichen</translation>
    </message>
    <message>
        <source>Not compared yet.</source>
        <translation>Noch nicht verglichen.</translation>
    </message>
    <message>
        <source>The original needs no proof. Choose a level above.</source>
        <translation>Das Original braucht keinen Beweis. Oben eine Stufe wählen.</translation>
    </message>
    <message>
        <source>Running both models …</source>
        <translation>Beide Modelle laufen …</translation>
    </message>
    <message>
        <source>✕ The variant did not run: %1</source>
        <translation>✕ Die Variante lief nicht: %1</translation>
    </message>
    <message numerus="yes">
        <source>✓ All %n outputs agree within tolerance; the largest difference is %1.</source>
        <translation>
            <numerusform>✓ Die Ausgabe stimmt innerhalb der Toleranz überein; der größte Unterschied ist %1.</numerusform>
            <numerusform>✓ Alle %n Ausgaben stimmen innerhalb der Toleranz überein; der größte Unterschied ist %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>✕ The outputs differ beyond the tolerance; the largest difference is %1.</source>
        <translation>✕ Die Ausgaben weichen über die Toleranz hinaus ab; der größte Unterschied ist %1.</translation>
    </message>
    <message>
        <source>A run took %1, the original %2 (one look, not a measurement).</source>
        <translation>Ein Lauf dauerte %1, beim Original %2 (ein Blick, keine Messung).</translation>
    </message>
    <message>
        <source>The variant keeps float32 where the original rounds to float16 (drop_rounding_casts). These roundings move outputs by up to %1; twice that was allowed.</source>
        <translation>Die Variante bleibt bei float32, wo das Original auf float16 rundet (drop_rounding_casts). Diese Rundungen bewegen Ausgaben um bis zu %1; das Doppelte war erlaubt.</translation>
    </message>
    <message numerus="yes">
        <source>%n output(s) were dropped on request.</source>
        <translation>
            <numerusform>%n Ausgabe wurde auf Wunsch weggelassen.</numerusform>
            <numerusform>%n Ausgaben wurden auf Wunsch weggelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Each output gets a line here.</source>
        <translation>Jede Ausgabe bekommt hier eine Zeile.</translation>
    </message>
    <message>
        <source>In another order of its sums the original itself moves outputs by up to %1; twice that was allowed.</source>
        <translation>In anderer Reihenfolge seiner Summen bewegt schon das Original Ausgaben um bis zu %1; das Doppelte war erlaubt.</translation>
    </message>
    <message>
        <source>Runs the original and the variant on the same inputs, those given on the Run page and generated ones, and compares every output</source>
        <translation>Führt Original und Variante mit denselben Eingaben aus, den auf der Seite Lauf gegebenen und erzeugten, und vergleicht jede Ausgabe</translation>
    </message>
    <message>
        <source>✓ All outputs agree within tolerance; the largest difference is %1.</source>
        <translation>✓ Alle Ausgaben stimmen innerhalb der Toleranz überein; die größte Abweichung ist %1.</translation>
    </message>
    <message>
        <source>Found before; run both again to see each output.</source>
        <translation>Früher festgestellt; beide noch einmal ausführen, um jede Ausgabe zu sehen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::HeatMapModel</name>
    <message>
        <source>no base</source>
        <translation>keine Basis</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>wird gemessen …</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>weggelassen</translation>
    </message>
    <message>
        <source>~ %1</source>
        <translation>~ %1</translation>
    </message>
    <message>
        <source>fewest threads first</source>
        <translation>wenigste Threads zuerst</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>Number %1 in the queue</source>
        <translation>Nummer %1 in der Schlange</translation>
    </message>
    <message>
        <source>The best of %1 settings that differ in what is on neither axis</source>
        <translation>Die beste von %1 Einstellungen, die sich in dem unterscheiden, was auf keiner Achse steht</translation>
    </message>
    <message>
        <source>%1, recommended</source>
        <translation>%1, empfohlen</translation>
    </message>
    <message>
        <source>%1, in the queue</source>
        <translation>%1, in der Schlange</translation>
    </message>
    <message>
        <source>%1, not measured</source>
        <translation>%1, nicht gemessen</translation>
    </message>
    <message>
        <source>%1: %2; more than this machine&apos;s %3 cores</source>
        <translation>%1: %2; mehr als die %3 Kerne dieser Maschine</translation>
    </message>
    <message>
        <source>As fast as the recommended setting, known to within 5 %</source>
        <translation>So schnell wie die empfohlene Einstellung, auf 5 % genau bekannt</translation>
    </message>
    <message>
        <source>Cannot be told apart from the recommended setting: the intervals are too wide</source>
        <translation>Von der empfohlenen Einstellung nicht zu unterscheiden: die Intervalle sind zu breit</translation>
    </message>
</context>
<context>
    <name>lapidary::views::HeatMapView</name>
    <message>
        <source>Heat map of settings</source>
        <translation>Heatmap der Einstellungen</translation>
    </message>
    <message>
        <source>Arrow keys move, the space bar puts a setting on the queue, Enter measures it</source>
        <translation>Pfeiltasten bewegen, die Leertaste stellt eine Einstellung in die Schlange, Enter misst sie</translation>
    </message>
    <message>
        <source>&amp;Measure now</source>
        <translation>Jetzt &amp;messen</translation>
    </message>
    <message>
        <source>Put on the &amp;queue</source>
        <translation>In die &amp;Schlange</translation>
    </message>
    <message>
        <source>Take &amp;off the queue</source>
        <translation>Aus der Sch&amp;lange</translation>
    </message>
    <message>
        <source>&amp;Apply this setting</source>
        <translation>Diese Einstellung &amp;übernehmen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Export as CSV …</source>
        <translation>Als CSV &amp;exportieren …</translation>
    </message>
</context>
<context>
    <name>lapidary::views::HelpMenu</name>
    <message>
        <source>Help on this &amp;page</source>
        <translation>Hilfe zu dieser &amp;Seite</translation>
    </message>
    <message>
        <source>What this page shows and does</source>
        <translation>Was diese Seite zeigt und kann</translation>
    </message>
    <message>
        <source>&amp;Contents</source>
        <translation>&amp;Inhalt</translation>
    </message>
    <message>
        <source>Tutorial, pages, how-tos, command line, passes, formats</source>
        <translation>Einführung, Seiten, Anleitungen, Kommandozeile, Pässe, Formate</translation>
    </message>
    <message>
        <source>&amp;Look for a newer version …</source>
        <translation>Nach einer &amp;neueren Version sehen …</translation>
    </message>
    <message>
        <source>At each start: whether a file that you choose names a newer version. No network is used</source>
        <translation>Bei jedem Start: ob eine Datei, die Sie nennen, von einer neueren Version weiß. Ohne Netzwerk</translation>
    </message>
    <message>
        <source>File that names the newest version</source>
        <translation>Datei, die die neueste Version nennt</translation>
    </message>
    <message>
        <source>Changelogs and texts (*.md *.txt)</source>
        <translation>Änderungslisten und Texte (*.md *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Look for a newer version</source>
        <translation>Nach einer neueren Version sehen</translation>
    </message>
    <message>
        <source>Lapidary %1 is there</source>
        <translation>Lapidary %1 ist da</translation>
    </message>
    <message>
        <source>This is %1; %2 names the newer one.</source>
        <translation>Dies ist %1; davon weiß %2.</translation>
    </message>
    <message>
        <source>Whether there is a newer version could not be found out</source>
        <translation>Ob es eine neuere Version gibt, ließ sich nicht feststellen</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>&amp;Glossar</translation>
    </message>
    <message>
        <source>Words of the field and of this program</source>
        <translation>Wörter des Fachs und dieses Programms</translation>
    </message>
    <message>
        <source>What is the &amp;focused control?</source>
        <translation>Was ist das &amp;fokussierte Element?</translation>
    </message>
    <message>
        <source>What the control with the keyboard is for</source>
        <translation>Wozu das Element dient, das die Tastatur hat</translation>
    </message>
    <message>
        <source>&amp;What&apos;s this?</source>
        <translation>&amp;Was ist das?</translation>
    </message>
    <message>
        <source>Click on anything to read what it is for</source>
        <translation>Auf etwas klicken, um zu lesen, wozu es dient</translation>
    </message>
</context>
<context>
    <name>lapidary::views::HelpWindow</name>
    <message>
        <source>Lapidary Help</source>
        <translation>Lapidary-Hilfe</translation>
    </message>
    <message>
        <source>Pages of the help</source>
        <translation>Seiten der Hilfe</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Find on this page</source>
        <translation>Auf dieser Seite suchen</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Search all pages (Ctrl+K)</source>
        <translation>Alle Seiten durchsuchen (Strg+K)</translation>
    </message>
    <message>
        <source>Search all pages</source>
        <translation>Alle Seiten durchsuchen</translation>
    </message>
    <message>
        <source>No page has all of these words.</source>
        <translation>Keine Seite enthält alle diese Wörter.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::HistogramView</name>
    <message>
        <source>Distribution of the values</source>
        <translation>Verteilung der Werte</translation>
    </message>
    <message>
        <source>At most %1 values in a bar</source>
        <translation>Höchstens %1 Werte in einem Balken</translation>
    </message>
    <message>
        <source>nothing to show</source>
        <translation>nichts zu zeigen</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>von %1 bis %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::IcicleView</name>
    <message>
        <source>Time by scope</source>
        <translation>Zeit nach Namensraum</translation>
    </message>
    <message>
        <source>Arrow keys walk, Return zooms into a scope or shows a node in the graph, Backspace zooms out. The table lists the same figures.</source>
        <translation>Pfeiltasten wandern, Enter zoomt in einen Namensraum oder zeigt einen Knoten im Graphen, Rücktaste zoomt heraus. Die Tabelle führt dieselben Werte auf.</translation>
    </message>
    <message>
        <source>%1 · %2: %3, %4 of the time in kernels</source>
        <translation>%1 · %2: %3, %4 der Zeit in Kerneln</translation>
    </message>
    <message>
        <source>All nodes</source>
        <translation>Alle Knoten</translation>
    </message>
    <message>
        <source>All nodes · %1</source>
        <translation>Alle Knoten · %1</translation>
    </message>
    <message>
        <source>No kernel ran in the selected range.</source>
        <translation>Im gewählten Bereich lief kein Kernel.</translation>
    </message>
    <message>
        <source>%1: %2, %3 of the time in kernels; nodes: %4</source>
        <translation>%1: %2, %3 der Zeit in Kerneln; Knoten: %4</translation>
    </message>
</context>
<context>
    <name>lapidary::views::InputField</name>
    <message>
        <source>%1 (reads %2)</source>
        <translation>%1 (liest %2)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::InputsDrawer</name>
    <message>
        <source>cannot be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>generated</source>
        <translation>erzeugt</translation>
    </message>
    <message>
        <source>the text below</source>
        <translation>der Text unten</translation>
    </message>
    <message>
        <source>Inputs of the model</source>
        <translation>Eingaben des Modells</translation>
    </message>
    <message>
        <source>Add files …</source>
        <translation>Dateien hinzufügen …</translation>
    </message>
    <message>
        <source>File for this input …</source>
        <translation>Datei für diese Eingabe …</translation>
    </message>
    <message>
        <source>Generate this one</source>
        <translation>Diese erzeugen</translation>
    </message>
    <message>
        <source>Generate all</source>
        <translation>Alle erzeugen</translation>
    </message>
    <message>
        <source>Looking at the inputs …</source>
        <translation>Die Eingaben werden angesehen …</translation>
    </message>
    <message>
        <source>Te&amp;xt</source>
        <translation>Te&amp;xt</translation>
    </message>
    <message>
        <source>Text that becomes tokens</source>
        <translation>Text, der zu Tokens wird</translation>
    </message>
    <message>
        <source>A sentence; a vocabulary turns it into tokens</source>
        <translation>Ein Satz; ein Vokabular macht Tokens daraus</translation>
    </message>
    <message>
        <source>Arrays (.npy, .npz), values of ONNX test data (.pb), pictures, a text or a vocabulary (.txt): each goes to the input that it fits; recorded outputs are compared with. Files and folders can be dropped on this page too.</source>
        <translation>Felder (.npy, .npz), Werte von ONNX-Testdaten (.pb), Bilder, ein Text oder ein Vokabular (.txt): jedes geht zu der Eingabe, zu der es passt; mit aufgezeichneten Ausgaben wird verglichen. Dateien und Ordner lassen sich auch auf diese Seite ziehen.</translation>
    </message>
    <message>
        <source>inputs: text</source>
        <translation>Eingaben: Text</translation>
    </message>
    <message>
        <source>inputs: generated</source>
        <translation>Eingaben: erzeugt</translation>
    </message>
    <message>
        <source>inputs: %1 of %2 given</source>
        <translation>Eingaben: %1 von %2 gegeben</translation>
    </message>
    <message>
        <source>&amp;Vocabulary …</source>
        <translation>&amp;Vokabular …</translation>
    </message>
    <message>
        <source>&amp;Vocabulary: %1</source>
        <translation>&amp;Vokabular: %1</translation>
    </message>
    <message>
        <source>Outputs are compared with %1 recorded ones of %2.</source>
        <translation>Ausgaben werden mit %1 aufgezeichneten aus %2 verglichen.</translation>
    </message>
    <message>
        <source>The text needs a vocabulary: a file with a token per line.</source>
        <translation>Der Text braucht ein Vokabular: eine Datei mit einem Token je Zeile.</translation>
    </message>
    <message>
        <source>As the model sees it: its values from the least to the largest</source>
        <translation>Wie das Modell es sieht: seine Werte vom kleinsten bis zum größten</translation>
    </message>
    <message>
        <source>Input %1 as a picture</source>
        <translation>Eingabe %1 als Bild</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Inputs (*.npy *.npz *.pb *.png *.jpg *.jpeg *.txt)</source>
        <translation>Eingaben (*.npy *.npz *.pb *.png *.jpg *.jpeg *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>File for input %1</source>
        <translation>Datei für Eingabe %1</translation>
    </message>
    <message>
        <source>Arrays and pictures (*.npy *.npz *.pb *.png *.jpg *.jpeg)</source>
        <translation>Felder und Bilder (*.npy *.npz *.pb *.png *.jpg *.jpeg)</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>Tokenizer, or a token per line (*.json *.txt)</source>
        <translation>Tokenizer, oder ein Token je Zeile (*.json *.txt)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::InspectorPanel</name>
    <message>
        <source>Edited by</source>
        <translation>Bearbeitet durch</translation>
    </message>
    <message>
        <source>(unnamed)</source>
        <translation>(ohne Namen)</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Details of the selection</source>
        <translation>Einzelheiten der Auswahl</translation>
    </message>
    <message>
        <source>Open a model to see what it is made of.</source>
        <translation>Ein Modell öffnen, um zu sehen, woraus es besteht.</translation>
    </message>
    <message>
        <source>Count values</source>
        <translation>Werte zählen</translation>
    </message>
    <message>
        <source>, … (%1 in all)</source>
        <translation>, … (insgesamt %1)</translation>
    </message>
    <message>
        <source>sparse %1</source>
        <translation>dünn besetzt %1</translation>
    </message>
    <message>
        <source>graph of %1</source>
        <translation>Graph aus %1</translation>
    </message>
    <message>
        <source>the caller&apos;s attribute %1</source>
        <translation>das Attribut %1 des Aufrufers</translation>
    </message>
    <message>
        <source>list of %1</source>
        <translation>Liste von %1</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>What is it</source>
        <translation>Was ist es</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>By type</source>
        <translation>Nach Typ</translation>
    </message>
    <message>
        <source>Opsets</source>
        <translation>Opsets</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>Funktionen</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more kinds</source>
        <translation>
            <numerusform>… und %n weitere Art</numerusform>
            <numerusform>… und %n weitere Arten</numerusform>
        </translation>
    </message>
    <message>
        <source>Where did it come from</source>
        <translation>Woher kommt es</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source> and %1 beside it</source>
        <translation> und daneben %1</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>Erzeuger</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>ONNX IR %1</source>
        <translation>ONNX IR %1</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>Domäne</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>What does it cost</source>
        <translation>Was kostet es</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Not measured yet. Run the model (F5) to see times and memory.</source>
        <translation>Noch nicht gemessen. Das Modell ausführen (F5), um Zeiten und Speicher zu sehen.</translation>
    </message>
    <message>
        <source>Can it be changed</source>
        <translation>Kann man es ändern</translation>
    </message>
    <message>
        <source>Every operator can run here. What else could be better about the model is on the Checklist page.</source>
        <translation>Jeder Operator kann hier laufen. Was an dem Modell sonst besser sein könnte, steht auf der Seite Checkliste.</translation>
    </message>
    <message>
        <source>The Problems panel lists all of them.</source>
        <translation>Der Bereich Probleme führt alle auf.</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… und %n weiterer</numerusform>
            <numerusform>… und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>left out</source>
        <translation>weggelassen</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>Konstante</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>from the graph around</source>
        <translation>aus dem Graphen ringsum</translation>
    </message>
    <message>
        <source>graph input</source>
        <translation>Grapheingabe</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>Keine.</translation>
    </message>
    <message>
        <source>not wanted</source>
        <translation>nicht gewünscht</translation>
    </message>
    <message>
        <source>, … %1 in all</source>
        <translation>, … insgesamt %1</translation>
    </message>
    <message>
        <source>to</source>
        <translation>nach</translation>
    </message>
    <message>
        <source>graph output</source>
        <translation>Graphausgabe</translation>
    </message>
    <message>
        <source>Not measured yet. Run the model (F5) to see its time.</source>
        <translation>Noch nicht gemessen. Das Modell ausführen (F5), um die Zeit zu sehen.</translation>
    </message>
    <message>
        <source>Times of nodes inside bodies are part of the node that owns the body.</source>
        <translation>Die Zeiten von Knoten in Rümpfen gehören zu dem Knoten, dem der Rumpf gehört.</translation>
    </message>
    <message>
        <source>It did not run: its result was known before.</source>
        <translation>Er lief nicht: Sein Ergebnis stand schon fest.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>(%1 of the run)</source>
        <translation>(%1 des Laufs)</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formen</translation>
    </message>
    <message>
        <source>Not used</source>
        <translation>Nicht verwendet</translation>
    </message>
    <message>
        <source>It cannot run here: %1</source>
        <translation>Er kann hier nicht laufen: %1</translation>
    </message>
    <message>
        <source>All its inputs are constants, so it could be computed ahead of the run.</source>
        <translation>Alle seine Eingaben sind Konstanten; er ließe sich vor dem Lauf berechnen.</translation>
    </message>
    <message>
        <source>Nobody reads what it computes, so it could be removed.</source>
        <translation>Niemand liest, was er berechnet; er ließe sich entfernen.</translation>
    </message>
    <message>
        <source>It only passes its input on, so it could be left out.</source>
        <translation>Er reicht seine Eingabe nur weiter; er ließe sich weglassen.</translation>
    </message>
    <message>
        <source>Its result is read once, so it may be merged with the reader.</source>
        <translation>Sein Ergebnis wird einmal gelesen; er ließe sich mit dem Leser verschmelzen.</translation>
    </message>
    <message>
        <source>Nothing stands out: it runs, its result is needed, and it depends on the inputs.</source>
        <translation>Nichts Besonderes: Er läuft, sein Ergebnis wird gebraucht, und es hängt von den Eingaben ab.</translation>
    </message>
    <message>
        <source>This node is no longer part of the graph.</source>
        <translation>Dieser Knoten gehört nicht mehr zum Graphen.</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Opset</source>
        <translation>Opset</translation>
    </message>
    <message>
        <source>not imported</source>
        <translation>nicht importiert</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>Overload</source>
        <translation>Überladung</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>node %1 of %2 in %3</source>
        <translation>Knoten %1 von %2 in %3</translation>
    </message>
    <message>
        <source>a body</source>
        <translation>einem Rumpf</translation>
    </message>
    <message>
        <source>… %1 in all</source>
        <translation>… insgesamt %1</translation>
    </message>
    <message>
        <source>Stands for</source>
        <translation>Steht für</translation>
    </message>
    <message>
        <source>Source line</source>
        <translation>Quelltextzeile</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Graph input with a default</source>
        <translation>Grapheingabe mit Vorgabe</translation>
    </message>
    <message>
        <source>Graph input</source>
        <translation>Grapheingabe</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Konstante</translation>
    </message>
    <message>
        <source>Result of a node</source>
        <translation>Ergebnis eines Knotens</translation>
    </message>
    <message>
        <source>Read from the graph around</source>
        <translation>Aus dem Graphen ringsum gelesen</translation>
    </message>
    <message>
        <source>Not written yet</source>
        <translation>Noch nicht geschrieben</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>Unendlich</translation>
    </message>
    <message>
        <source>Histogram of the values</source>
        <translation>Histogramm der Werte</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>Erste Werte</translation>
    </message>
    <message>
        <source>This tensor is no longer part of the graph.</source>
        <translation>Dieser Tensor gehört nicht mehr zum Graphen.</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Denotation</source>
        <translation>Bezeichnung</translation>
    </message>
    <message>
        <source>No statistics for this element type.</source>
        <translation>Keine Statistik für diesen Elementtyp.</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>Erzeugt von</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>in the model</source>
        <translation>im Modell</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>Given</source>
        <translation>Gegeben</translation>
    </message>
    <message>
        <source>Declared</source>
        <translation>Angegeben</translation>
    </message>
    <message>
        <source>in the file</source>
        <translation>in der Datei</translation>
    </message>
    <message>
        <source>no: its type was inferred</source>
        <translation>nein: Der Typ wurde abgeleitet</translation>
    </message>
    <message>
        <source>… %1 readers in all</source>
        <translation>… insgesamt %1 Leser</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>Gelesen von</translation>
    </message>
    <message>
        <source>Read inside</source>
        <translation>Gelesen in</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>of the graph</source>
        <translation>des Graphen</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>%1 at offset %2 of the arena</source>
        <translation>%1 bei Versatz %2 der Arena</translation>
    </message>
    <message>
        <source>Alive</source>
        <translation>Lebt</translation>
    </message>
    <message>
        <source>from step %1 to step %2</source>
        <translation>von Schritt %1 bis Schritt %2</translation>
    </message>
    <message>
        <source>%1 for as long as the model is open</source>
        <translation>%1, solange das Modell offen ist</translation>
    </message>
    <message>
        <source>It has no place of its own in the memory plan.</source>
        <translation>Er hat keinen eigenen Platz im Speicherplan.</translation>
    </message>
    <message>
        <source>Not measured yet. Run the model (F5) to see its place in memory.</source>
        <translation>Noch nicht gemessen. Das Modell ausführen (F5), um den Platz im Speicher zu sehen.</translation>
    </message>
    <message>
        <source>Nobody reads it, so it could be removed.</source>
        <translation>Niemand liest ihn; er ließe sich entfernen.</translation>
    </message>
    <message>
        <source>It is stored, not computed: what depends on constants alone can be computed ahead of the run.</source>
        <translation>Er ist gespeichert, nicht berechnet: Was nur von Konstanten abhängt, lässt sich vor dem Lauf berechnen.</translation>
    </message>
    <message>
        <source>It is read once; its writer and its reader may be merged.</source>
        <translation>Er wird einmal gelesen; Schreiber und Leser ließen sich verschmelzen.</translation>
    </message>
    <message>
        <source>It is read in more than one place or is a result of the model, so it has to exist.</source>
        <translation>Er wird mehrfach gelesen oder ist ein Ergebnis des Modells; es muss ihn geben.</translation>
    </message>
    <message>
        <source>Passport</source>
        <translation>Modellpass</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Needs</source>
        <translation>Braucht</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Pässe</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>SHA-256 of the data</source>
        <translation>SHA-256 der Daten</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Speicherlayout</translation>
    </message>
    <message>
        <source>An export for this CPU lays it out anew.</source>
        <translation>Ein Export für diese CPU ordnet es neu an.</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>Läuft auf</translation>
    </message>
    <message>
        <source>Not on %1</source>
        <translation>Nicht auf %1</translation>
    </message>
    <message>
        <source>because %1</source>
        <translation>weil: %1</translation>
    </message>
    <message>
        <source>In its place</source>
        <translation>An seiner Stelle</translation>
    </message>
    <message>
        <source>ran on the reference kernel: %1</source>
        <translation>lief auf dem Referenzkernel: %1</translation>
    </message>
    <message>
        <source>(%1 of %2 calls)</source>
        <translation>(%1 von %2 Aufrufen)</translation>
    </message>
    <message>
        <source>Why not?</source>
        <translation>Warum nicht?</translation>
    </message>
    <message>
        <source>No level was tried: the Optimize page shows which passes take it and which do not.</source>
        <translation>Keine Stufe wurde versucht: die Seite Optimieren sagt, welche Pässe ihn nehmen und welche nicht.</translation>
    </message>
    <message>
        <source>took it, step %1 of %2</source>
        <translation>nahm ihn, Schritt %1 von %2</translation>
    </message>
    <message>
        <source>matched so far:</source>
        <translation>bis dahin passend:</translation>
    </message>
    <message>
        <source>No pass of %1 took it, and none came near: no pattern has it.</source>
        <translation>Kein Pass von %1 nahm ihn, und keiner kam nahe: kein Muster enthält ihn.</translation>
    </message>
    <message>
        <source>Save the tensor</source>
        <translation>Tensor speichern</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy)</source>
        <translation>NumPy-Felder (*.npy)</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>Save as .npy …</source>
        <translation>Als .npy speichern …</translation>
    </message>
    <message>
        <source>(profiled)</source>
        <translation>(profiliert)</translation>
    </message>
    <message>
        <source>convert to a newer opset</source>
        <translation>in ein neueres Opset umwandeln</translation>
    </message>
    <message>
        <source>fix the free dimensions</source>
        <translation>die freien Dimensionen festlegen</translation>
    </message>
    <message>
        <source>leave out outputs that are not needed</source>
        <translation>Ausgaben weglassen, die niemand braucht</translation>
    </message>
    <message>
        <source>mark them</source>
        <translation>markieren</translation>
    </message>
    <message>
        <source>What may help:</source>
        <translation>Was helfen kann:</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Activations held</source>
        <translation>Aktivierungen gehalten</translation>
    </message>
    <message>
        <source>Planned block</source>
        <translation>Geplanter Block</translation>
    </message>
    <message>
        <source>The model is not valid and cannot run.</source>
        <translation>Das Modell ist ungültig und kann nicht laufen.</translation>
    </message>
    <message>
        <source>In a session</source>
        <translation>In einer Sitzung</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s), after its own passes</source>
        <translation>
            <numerusform>%n Knoten, nach ihren eigenen Durchgängen</numerusform>
            <numerusform>%n Knoten, nach ihren eigenen Durchgängen</numerusform>
        </translation>
    </message>
    <message>
        <source>Together</source>
        <translation>Zusammen</translation>
    </message>
    <message>
        <source>%1 nodes of the model as opened in one kernel, %2</source>
        <translation>%1 Knoten des geöffneten Modells in einem Kernel, %2</translation>
    </message>
    <message>
        <source>It makes the model invalid: nothing of it runs before that is put right.</source>
        <translation>Er macht das Modell ungültig: nichts davon läuft, bevor das behoben ist.</translation>
    </message>
    <message>
        <source>Nothing stands out about this node; the model does not run for another&apos;s sake.</source>
        <translation>An diesem Knoten fällt nichts auf; das Modell läuft wegen eines anderen nicht.</translation>
    </message>
    <message>
        <source>Unprofiled</source>
        <translation>Ohne Profiler</translation>
    </message>
    <message>
        <source>Run the model (F5) to see where the time goes.</source>
        <translation>Das Modell ausführen (F5), um zu sehen, wohin die Zeit geht.</translation>
    </message>
    <message>
        <source>Look inside …</source>
        <translation>Hineinsehen …</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>Bearbeitungen</translation>
    </message>
    <message>
        <source>Edits after the level</source>
        <translation>Bearbeitungen nach der Stufe</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>None of its nodes ran: their results were known before.</source>
        <translation>Keiner seiner Knoten lief: Ihre Ergebnisse waren vorher bekannt.</translation>
    </message>
    <message>
        <source>Slowest nodes</source>
        <translation>Langsamste Knoten</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message numerus="yes">
        <source>and %n of unknown size</source>
        <translation>
            <numerusform>und %n von unbekannter Größe</numerusform>
            <numerusform>und %n von unbekannter Größe</numerusform>
        </translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Results are all that its nodes compute in a run, one after the other. How much of that is held at once is on the Memory page.</source>
        <translation>Ergebnisse sind alles, was seine Knoten in einem Lauf nacheinander berechnen. Wie viel davon gleichzeitig gehalten wird, steht auf der Seite Speicher.</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>Enthält</translation>
    </message>
    <message>
        <source>In</source>
        <translation>In</translation>
    </message>
    <message>
        <source>Groups in it</source>
        <translation>Gruppen darin</translation>
    </message>
    <message>
        <source>Counting …</source>
        <translation>Wird gezählt …</translation>
    </message>
</context>
<context>
    <name>lapidary::views::JoinFields</name>
    <message>
        <source>Models (*.onnx)</source>
        <translation>Modelle (*.onnx)</translation>
    </message>
    <message>
        <source>Connect equal names</source>
        <translation>Gleiche Namen verbinden</translation>
    </message>
    <message>
        <source>Input of the file</source>
        <translation>Eingabe der Datei</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Output of this model</source>
        <translation>Ausgabe dieses Modells</translation>
    </message>
    <message>
        <source>Stands before all names of the file, where both models have one</source>
        <translation>Steht vor allen Namen der Datei, wo beide Modelle einen haben</translation>
    </message>
    <message>
        <source>Reading the file …</source>
        <translation>Die Datei wird gelesen …</translation>
    </message>
    <message>
        <source>Look at %1</source>
        <translation>%1 ansehen</translation>
    </message>
    <message>
        <source>Output for %1</source>
        <translation>Ausgabe für %1</translation>
    </message>
    <message>
        <source>stays an input</source>
        <translation>bleibt eine Eingabe</translation>
    </message>
    <message>
        <source>Outputs and inputs of equal names are connected.</source>
        <translation>Ausgaben und Eingaben gleichen Namens werden verbunden.</translation>
    </message>
    <message>
        <source>No input of the file has the name of an output: choose pairs.</source>
        <translation>Keine Eingabe der Datei heißt wie eine Ausgabe: wählen Sie Paare.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::KeptRuns</name>
    <message>
        <source>Median of %1 runs; with 95 % confidence between %2 and %3</source>
        <translation>Median von %1 Läufen; mit 95 % Sicherheit zwischen %2 und %3</translation>
    </message>
    <message>
        <source>profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>measurement</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Runs kept by the project</source>
        <translation>Vom Projekt aufgehobene Läufe</translation>
    </message>
    <message>
        <source>Every run leaves a line here, saved with the project. Press F5.</source>
        <translation>Jeder Lauf hinterlässt hier eine Zeile, mit dem Projekt gespeichert. F5 drücken.</translation>
    </message>
    <message>
        <source>Most bytes held for activations at once</source>
        <translation>Höchstzahl gleichzeitig für Aktivierungen gehaltener Bytes</translation>
    </message>
</context>
<context>
    <name>lapidary::views::KeyEditor</name>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Usual key</source>
        <translation>Übliche Taste</translation>
    </message>
    <message>
        <source>All usual keys</source>
        <translation>Alle üblichen Tasten</translation>
    </message>
    <message>
        <source>New key of the selected command</source>
        <translation>Neue Taste des gewählten Befehls</translation>
    </message>
    <message>
        <source>Press the new key here; nothing in it: the command has no key</source>
        <translation>Drücken Sie hier die neue Taste; leer: Der Befehl hat keine Taste</translation>
    </message>
    <message>
        <source>The selected command gets the key in the field, for good</source>
        <translation>Der gewählte Befehl bekommt dauerhaft die Taste im Feld</translation>
    </message>
    <message>
        <source>The selected command gets the key back that it has at first</source>
        <translation>Der gewählte Befehl bekommt die Taste zurück, die er anfangs hat</translation>
    </message>
    <message>
        <source>All commands get the keys back that they have at first</source>
        <translation>Alle Befehle bekommen die Tasten zurück, die sie anfangs haben</translation>
    </message>
    <message>
        <source>The key of this command is fixed</source>
        <translation>Die Taste dieses Befehls ist fest</translation>
    </message>
    <message>
        <source>Select a command to change its key</source>
        <translation>Wählen Sie einen Befehl, um seine Taste zu ändern</translation>
    </message>
</context>
<context>
    <name>lapidary::views::LayerPanel</name>
    <message>
        <source>SQNR from input to output</source>
        <translation>SQNR von der Eingabe zur Ausgabe</translation>
    </message>
    <message>
        <source>SQNR of each node</source>
        <translation>SQNR jedes Knotens</translation>
    </message>
    <message>
        <source>After quantizing, every node is a point here, from input to output.</source>
        <translation>Nach dem Quantisieren ist hier jeder Knoten ein Punkt, von der Eingabe zur Ausgabe.</translation>
    </message>
    <message>
        <source>Node, from input to output</source>
        <translation>Knoten, von der Eingabe zur Ausgabe</translation>
    </message>
    <message>
        <source>SQNR, dB</source>
        <translation>SQNR, dB</translation>
    </message>
    <message>
        <source>After quantizing, every node stands here with how far its result is off.</source>
        <translation>Nach dem Quantisieren steht hier jeder Knoten mit der Abweichung seines Ergebnisses.</translation>
    </message>
    <message>
        <source>Nothing was quantized yet.</source>
        <translation>Noch wurde nichts quantisiert.</translation>
    </message>
    <message>
        <source>Lowest: %1 with %2. A fall from one node to the next is where it is lost; double-click a row to see the node in the graph.</source>
        <translation>Am niedrigsten: %1 mit %2. Wo es von einem Knoten zum nächsten fällt, geht Genauigkeit verloren; ein Doppelklick auf eine Zeile zeigt den Knoten im Graphen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::LayoutNotice</name>
    <message>
        <source>Progress of the layout</source>
        <translation>Fortschritt der Anordnung</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the layout</source>
        <translation>Anordnung abbrechen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::LevelCard</name>
    <message>
        <source>no change</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>as opened</source>
        <translation>wie geöffnet</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2, %n rewrite(s) by %3 of %4 passes in %5.</source>
        <translation>
            <numerusform>%1: %2, %n Umformung durch %3 von %4 Pässen in %5.</numerusform>
            <numerusform>%1: %2, %n Umformungen durch %3 von %4 Pässen in %5.</numerusform>
        </translation>
    </message>
    <message>
        <source>Optimizing …</source>
        <translation>Wird optimiert …</translation>
    </message>
    <message>
        <source>It failed</source>
        <translation>Es schlug fehl</translation>
    </message>
    <message>
        <source>Waiting …</source>
        <translation>Wartet …</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>wird gemessen …</translation>
    </message>
    <message>
        <source>guard ✓</source>
        <translation>Prüfung ✓</translation>
    </message>
    <message>
        <source>guard ✗</source>
        <translation>Prüfung ✗</translation>
    </message>
    <message>
        <source>planning …</source>
        <translation>wird geplant …</translation>
    </message>
    <message>
        <source>in force</source>
        <translation>in Kraft</translation>
    </message>
    <message>
        <source>%1: %2, no pass applied.</source>
        <translation>%1: %2, kein Pass angewandt.</translation>
    </message>
    <message>
        <source>Median of %1 runs (threads: %2); 95 % interval %3 to %4.</source>
        <translation>Median von %1 Läufen (Threads: %2); 95-%-Intervall %3 bis %4.</translation>
    </message>
    <message>
        <source>The memory could not be planned: %1</source>
        <translation>Der Speicher ließ sich nicht planen: %1</translation>
    </message>
    <message>
        <source>Sizes that only a run shows count as nothing.</source>
        <translation>Größen, die nur ein Lauf sagt, zählen nicht.</translation>
    </message>
    <message>
        <source>With %1.</source>
        <translation>Mit %1.</translation>
    </message>
    <message>
        <source>The guard found its results the same as the original&apos;s.</source>
        <translation>Die Prüfung fand dieselben Ergebnisse wie beim Original.</translation>
    </message>
    <message>
        <source>The guard found other results than the original&apos;s.</source>
        <translation>Die Prüfung fand andere Ergebnisse als beim Original.</translation>
    </message>
    <message>
        <source>In force: all pages are of it.</source>
        <translation>In Kraft: alle Seiten gelten ihr.</translation>
    </message>
    <message>
        <source>Press it to put it in force: Graph, Run, Memory, Tune and exports are of it then.</source>
        <translation>Drücken setzt sie in Kraft: Graph, Lauf, Speicher, Abstimmen und Exporte gelten dann ihr.</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>press Measure</source>
        <translation>„Messen“ drücken</translation>
    </message>
    <message>
        <source>profiled</source>
        <translation>profiliert</translation>
    </message>
    <message>
        <source>Median of %1 profiled runs (threads: %2); 95 % interval %3 to %4.</source>
        <translation>Median von %1 profilierten Läufen (Threads: %2); 95-%-Intervall %3 bis %4.</translation>
    </message>
    <message>
        <source>runs at level %1</source>
        <translation>läuft auf Stufe %1</translation>
    </message>
    <message>
        <source>%1 weights · process %2</source>
        <translation>%1 Gewichte · Prozess %2</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>Prozess %1</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>%1 Gewichte</translation>
    </message>
    <message>
        <source>A session runs %1, after passes of its own that no file holds.</source>
        <translation>Eine Sitzung führt %1 aus, nach eigenen Durchgängen, die in keiner Datei stehen.</translation>
    </message>
    <message>
        <source>Process while it runs, as the Memory page shows it: %1; activations planned: %2.</source>
        <translation>Prozess, während er läuft, wie auf der Seite Speicher: %1; geplante Aktivierungen: %2.</translation>
    </message>
    <message>
        <source>The graph as its file has it. Runs, plans and sweeps of it are at level %1, as in every session of ONNX Runtime.</source>
        <translation>Der Graph, wie er in der Datei steht. Läufe, Pläne und Messreihen davon sind auf Stufe %1, wie in jeder Sitzung von ONNX Runtime.</translation>
    </message>
    <message>
        <source>as edited</source>
        <translation>wie bearbeitet</translation>
    </message>
    <message>
        <source>%1: %2. The levels apply to it; the model as opened is among the variants.</source>
        <translation>%1: %2. Die Stufen gelten für dieses Modell; das Modell, wie es geöffnet wurde, steht unter den Varianten.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::LevelCards</name>
    <message>
        <source>Optimization levels</source>
        <translation>Optimierungsstufen</translation>
    </message>
    <message>
        <source>Optimizing: %1 …</source>
        <translation>Wird optimiert: %1 …</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>Bearbeitet</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ListedKind</name>
    <message>
        <source>&amp;Look again</source>
        <translation>&amp;Erneut suchen</translation>
    </message>
    <message>
        <source>Plugins and engines</source>
        <translation>Plugins und Engines</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>%1 (switched off)</source>
        <translation>%1 (ausgeschaltet)</translation>
    </message>
    <message>
        <source>Looking: each is opened in a separate process …</source>
        <translation>Suche läuft: Jedes wird in einem eigenen Prozess geöffnet …</translation>
    </message>
    <message>
        <source>Nobody has looked yet.</source>
        <translation>Es wurde noch nicht gesucht.</translation>
    </message>
    <message>
        <source>Neither plugins nor an ONNX Runtime were found. F1 says where they are looked for.</source>
        <translation>Weder Plugins noch eine ONNX Runtime wurden gefunden. F1 sagt, wo gesucht wird.</translation>
    </message>
    <message>
        <source>Each was opened in a separate process and asked for what it brings.</source>
        <translation>Jedes wurde in einem eigenen Prozess geöffnet und gefragt, was es mitbringt.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Nothing has happened yet.</source>
        <translation>Noch ist nichts geschehen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MachineButton</name>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Trying %1 …</source>
        <translation>%1 wird versucht …</translation>
    </message>
    <message>
        <source>The machine on which this model is run, measured and tuned: this computer, or a target that ssh reaches. It is remembered for this model.</source>
        <translation>Der Rechner, auf dem dieses Modell läuft, gemessen und abgestimmt wird: dieser, oder ein Ziel, das ssh erreicht. Die Wahl wird für dieses Modell gemerkt.</translation>
    </message>
    <message>
        <source>It is tested first, because it was not reached yet.</source>
        <translation>Es wird zuerst geprüft, denn es wurde noch nie erreicht.</translation>
    </message>
    <message>
        <source>Targets …</source>
        <translation>Ziele …</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MachinePanel</name>
    <message>
        <source>Median time of a run</source>
        <translation>Median der Zeit eines Laufs</translation>
    </message>
    <message>
        <source>Runs per second</source>
        <translation>Läufe je Sekunde</translation>
    </message>
    <message>
        <source>CPU time of a run</source>
        <translation>CPU-Zeit eines Laufs</translation>
    </message>
    <message>
        <source>First run</source>
        <translation>Erster Lauf</translation>
    </message>
    <message>
        <source>Load time</source>
        <translation>Ladezeit</translation>
    </message>
    <message>
        <source>Memory of a process</source>
        <translation>Speicher eines Prozesses</translation>
    </message>
    <message>
        <source>Measured runs</source>
        <translation>Gemessene Läufe</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Compare machines</source>
        <translation>Rechner vergleichen</translation>
    </message>
    <message>
        <source>Targets …</source>
        <translation>Ziele …</translation>
    </message>
    <message>
        <source>Two machines side by side</source>
        <translation>Zwei Rechner nebeneinander</translation>
    </message>
    <message>
        <source>First machine</source>
        <translation>Erster Rechner</translation>
    </message>
    <message>
        <source>Second machine</source>
        <translation>Zweiter Rechner</translation>
    </message>
    <message>
        <source>A machine that measures the variant in force: this computer or a target</source>
        <translation>Ein Rechner, der die geltende Variante misst: dieser oder ein Ziel</translation>
    </message>
    <message>
        <source>Measure the variant in force on the first machine, then on the second, under the run settings</source>
        <translation>Die geltende Variante auf dem ersten und dann auf dem zweiten Rechner messen, mit den Einstellungen der Läufe</translation>
    </message>
    <message>
        <source>The list of other machines: add one, test it, see what it is</source>
        <translation>Die Liste anderer Rechner: einen hinzufügen, prüfen, sehen, was er ist</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>No target is listed yet. Press Targets … to add another computer that ssh reaches.</source>
        <translation>Noch steht kein Ziel in der Liste. „Ziele …“ fügt einen anderen Rechner hinzu, den ssh erreicht.</translation>
    </message>
    <message>
        <source>Choose two machines and press Compare machines: the variant in force is measured on one, then on the other.</source>
        <translation>Wählen Sie zwei Rechner und drücken Sie „Rechner vergleichen“: Die geltende Variante wird erst auf dem einen, dann auf dem anderen gemessen.</translation>
    </message>
    <message>
        <source>Comparing machines …</source>
        <translation>Rechner werden verglichen …</translation>
    </message>
    <message>
        <source>%1: no difference beyond noise between %2 and %3.</source>
        <translation>%1: %2 und %3 unterscheiden sich nicht jenseits des Rauschens.</translation>
    </message>
    <message>
        <source>%1: %2 is %3 times as fast as %4.</source>
        <translation>%1: %2 ist %3-mal so schnell wie %4.</translation>
    </message>
    <message>
        <source>Measured with %1, one machine after the other.</source>
        <translation>Gemessen mit %1, ein Rechner nach dem anderen.</translation>
    </message>
    <message>
        <source>A machine could not measure</source>
        <translation>Ein Rechner konnte nicht messen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>Choose two machines and press Compare machines: the variant in force (%1) is measured on one, then on the other.</source>
        <translation>Wählen Sie zwei Rechner und drücken Sie „Rechner vergleichen“: Die geltende Variante (%1) wird erst auf dem einen, dann auf dem anderen gemessen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MainWindow</name>
    <message>
        <source>Show page</source>
        <translation>Seite zeigen</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>Probleme (%1)</translation>
    </message>
    <message>
        <source>Problems · Log · Tasks</source>
        <translation>Probleme · Protokoll · Aufgaben</translation>
    </message>
    <message>
        <source>Progress of the newest task</source>
        <translation>Fortschritt der neuesten Aufgabe</translation>
    </message>
    <message>
        <source>Opening %1 …</source>
        <translation>%1 wird geöffnet …</translation>
    </message>
    <message>
        <source>%1 stays open.</source>
        <translation>%1 bleibt offen.</translation>
    </message>
    <message>
        <source>%1 could not be opened</source>
        <translation>%1 konnte nicht geöffnet werden</translation>
    </message>
    <message>
        <source>Opening %1 failed: %2</source>
        <translation>Das Öffnen von %1 schlug fehl: %2</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>Der Lauf schlug fehl</translation>
    </message>
    <message>
        <source>The run failed: %1</source>
        <translation>Der Lauf schlug fehl: %1</translation>
    </message>
    <message>
        <source>The trace %1 failed</source>
        <translation>Der Trace %1 schlug fehl</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Chrome traces (*.json)</source>
        <translation>Chrome-Traces (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save trace</source>
        <translation>Trace speichern</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Chrome-Trace (*.json)</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>trace</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation>&amp;Öffnen …</translation>
    </message>
    <message>
        <source>Save &amp;trace …</source>
        <translation>&amp;Trace speichern …</translation>
    </message>
    <message>
        <source>Save the newest run as a Chrome trace, for chrome://tracing and Perfetto</source>
        <translation>Den neuesten Lauf als Chrome-Trace speichern, für chrome://tracing und Perfetto</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Fenster schließen</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Panel</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Put all panels back where they were</source>
        <translation>Alle Bereiche an ihren alten Platz</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>Run the model with generated inputs and profile it</source>
        <translation>Das Modell mit erzeugten Eingaben ausführen und ein Profil aufnehmen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Stop what is running</source>
        <translation>Anhalten, was läuft</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;About Lapidary</source>
        <translation>&amp;Über Lapidary</translation>
    </message>
    <message>
        <source>Version and licences</source>
        <translation>Version und Lizenzen</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>Über &amp;Qt</translation>
    </message>
    <message>
        <source>The toolkit this window is made with</source>
        <translation>Das Toolkit, mit dem dieses Fenster gebaut ist</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Main toolbar</source>
        <translation>Hauptwerkzeugleiste</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation>Keine zuletzt geöffneten Dateien</translation>
    </message>
    <message>
        <source>Clear this list</source>
        <translation>Diese Liste leeren</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Design</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>Like the &amp;desktop</source>
        <translation>Wie der &amp;Desktop</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>The language changes with the next start of Lapidary</source>
        <translation>Die Sprache wechselt beim nächsten Start von Lapidary</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Lapidary[*]</source>
        <translation>Lapidary[*]</translation>
    </message>
    <message>
        <source>%1[*] — Lapidary</source>
        <translation>%1[*] — Lapidary</translation>
    </message>
    <message>
        <source>Lapidary projects (*.lapidary)</source>
        <translation>Lapidary-Projekte (*.lapidary)</translation>
    </message>
    <message>
        <source>&amp;New project</source>
        <translation>&amp;Neues Projekt</translation>
    </message>
    <message>
        <source>Close the model and begin anew</source>
        <translation>Das Modell schließen und neu beginnen</translation>
    </message>
    <message>
        <source>Open an ONNX model, a project or a Chrome trace</source>
        <translation>Ein ONNX-Modell, ein Projekt oder einen Chrome-Trace öffnen</translation>
    </message>
    <message>
        <source>&amp;Save project</source>
        <translation>Projekt &amp;speichern</translation>
    </message>
    <message>
        <source>Save the model&apos;s place, variants, results and notes</source>
        <translation>Ort des Modells, Varianten, Ergebnisse und Notizen speichern</translation>
    </message>
    <message>
        <source>Save project &amp;as …</source>
        <translation>Projekt speichern &amp;unter …</translation>
    </message>
    <message>
        <source>Save the project in another file</source>
        <translation>Das Projekt in einer anderen Datei speichern</translation>
    </message>
    <message>
        <source>The model of this project is not where it was</source>
        <translation>Das Modell dieses Projekts ist nicht mehr, wo es war</translation>
    </message>
    <message>
        <source>There is no %1. Tell where it is now, and the rest of the project opens with it.</source>
        <translation>%1 gibt es nicht. Angeben, wo es jetzt liegt; dann öffnet sich der Rest des Projekts damit.</translation>
    </message>
    <message>
        <source>Locate …</source>
        <translation>Angeben …</translation>
    </message>
    <message>
        <source>%1 is another model than the project was made with</source>
        <translation>%1 ist ein anderes Modell als das, mit dem das Projekt entstand</translation>
    </message>
    <message>
        <source>%1: %2. Variants are made anew from it; earlier figures may no longer hold.</source>
        <translation>%1: %2. Varianten werden daraus neu erzeugt; frühere Werte stimmen vielleicht nicht mehr.</translation>
    </message>
    <message>
        <source>Open all the same</source>
        <translation>Trotzdem öffnen</translation>
    </message>
    <message>
        <source>%1 could not be saved</source>
        <translation>%1 konnte nicht gespeichert werden</translation>
    </message>
    <message>
        <source>Save as …</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Where is %1?</source>
        <translation>Wo ist %1?</translation>
    </message>
    <message>
        <source>Save project</source>
        <translation>Projekt speichern</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>Die Änderungen an %1 speichern?</translation>
    </message>
    <message>
        <source>this project</source>
        <translation>diesem Projekt</translation>
    </message>
    <message>
        <source>Recipes, results and notes that were not saved are lost otherwise. The model file itself is never changed.</source>
        <translation>Rezepte, Ergebnisse und Notizen, die nicht gespeichert wurden, gehen sonst verloren. Die Modelldatei selbst wird nie geändert.</translation>
    </message>
    <message>
        <source>Unsaved changes would not survive a crash</source>
        <translation>Ungespeicherte Änderungen überlebten einen Absturz nicht</translation>
    </message>
    <message>
        <source>Changes to %1 from %2 were not saved.</source>
        <translation>Änderungen an %1 vom %2 wurden nicht gespeichert.</translation>
    </message>
    <message>
        <source>a project</source>
        <translation>einem Projekt</translation>
    </message>
    <message numerus="yes">
        <source>There are %n more like this.</source>
        <translation>
            <numerusform>Es gibt noch %n weitere wie diese.</numerusform>
            <numerusform>Es gibt noch %n weitere wie diese.</numerusform>
        </translation>
    </message>
    <message>
        <source>Lapidary ended unexpectedly</source>
        <translation>Lapidary endete unerwartet</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>The changes could not be restored</source>
        <translation>Die Änderungen ließen sich nicht wiederherstellen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>&amp;Memory limit</source>
        <translation>&amp;Speichergrenze</translation>
    </message>
    <message>
        <source>&amp;No limit</source>
        <translation>&amp;Keine Grenze</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Memory that runs may take; one that needs more fails with an error and takes nothing else along</source>
        <translation>Speicher, den Läufe nehmen dürfen; einer, der mehr braucht, schlägt mit einem Fehler fehl und reißt nichts anderes mit</translation>
    </message>
    <message>
        <source>Models run in this program: %1</source>
        <translation>Modelle laufen in diesem Programm: %1</translation>
    </message>
    <message>
        <source>%1 could not be started.</source>
        <translation>%1 konnte nicht gestartet werden.</translation>
    </message>
    <message>
        <source>Something unexpected failed</source>
        <translation>Etwas Unerwartetes ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>Please save your work and report this.</source>
        <translation>Bitte die Arbeit sichern und dies melden.</translation>
    </message>
    <message>
        <source>The tensor was not saved</source>
        <translation>Der Tensor wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>&amp;Find …</source>
        <translation>&amp;Suchen …</translation>
    </message>
    <message>
        <source>&amp;Settings …</source>
        <translation>&amp;Einstellungen …</translation>
    </message>
    <message>
        <source>Theme, language, usual runs and sizes, memory limit, questions</source>
        <translation>Design, Sprache, übliche Läufe und Größen, Speichergrenze, Rückfragen</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>All commands with their keys</source>
        <translation>Alle Befehle mit ihren Tasten</translation>
    </message>
    <message>
        <source>Saving the project</source>
        <translation>Das Projekt wird gespeichert</translation>
    </message>
    <message>
        <source>Still at work</source>
        <translation>Noch bei der Arbeit</translation>
    </message>
    <message>
        <source>Quit while this is under way?</source>
        <translation>Beenden, während dies läuft?</translation>
    </message>
    <message>
        <source>Stop it and quit</source>
        <translation>Abbrechen und beenden</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Bleiben</translation>
    </message>
    <message>
        <source>&amp;Plugins and engines …</source>
        <translation>&amp;Plugins und Engines …</translation>
    </message>
    <message>
        <source>What was found, what it brings, and why something cannot be used</source>
        <translation>Was gefunden wurde, was es mitbringt und warum etwas nicht verwendbar ist</translation>
    </message>
    <message>
        <source>Switch off the plugin %1</source>
        <translation>Plugin %1 ausschalten</translation>
    </message>
    <message>
        <source>&amp;Take the tour</source>
        <translation>&amp;Rundgang machen</translation>
    </message>
    <message>
        <source>A minute on a sample, step by step</source>
        <translation>Eine Minute an einem Beispiel, Schritt für Schritt</translation>
    </message>
    <message>
        <source>There is nothing to run: open a model first</source>
        <translation>Es gibt nichts auszuführen: zuerst ein Modell öffnen</translation>
    </message>
    <message>
        <source>It runs already</source>
        <translation>Es läuft bereits</translation>
    </message>
    <message>
        <source>The model is not valid and cannot run: %1</source>
        <translation>Das Modell ist nicht gültig und kann nicht laufen: %1</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>&amp;Convert …</source>
        <translation>&amp;Umwandeln …</translation>
    </message>
    <message>
        <source>A newer opset, fixed dimensions, fewer outputs, weights beside the model: see what changes, then save</source>
        <translation>Neueres Opset, feste Dimensionen, weniger Ausgaben, Gewichte neben dem Modell: sehen, was sich ändert, dann speichern</translation>
    </message>
    <message>
        <source>Compare with a &amp;second model …</source>
        <translation>Mit einem &amp;zweiten Modell vergleichen …</translation>
    </message>
    <message>
        <source>Another ONNX file becomes B beside the open model</source>
        <translation>Eine andere ONNX-Datei wird B neben dem offenen Modell</translation>
    </message>
    <message>
        <source>%1 was not exported</source>
        <translation>%1 wurde nicht exportiert</translation>
    </message>
    <message>
        <source>&amp;Commands of the pages</source>
        <translation>&amp;Befehle der Seiten</translation>
    </message>
    <message>
        <source>%1: %2. It is open all the same; earlier figures may no longer hold.</source>
        <translation>%1: %2. Es ist trotzdem offen; frühere Zahlen gelten vielleicht nicht mehr.</translation>
    </message>
    <message>
        <source>End it</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Wait on</source>
        <translation>Weiter warten</translation>
    </message>
    <message>
        <source>Everything that opens (*.onnx *.ort *.lapidary *.json)</source>
        <translation>Alles, was sich öffnen lässt (*.onnx *.ort *.lapidary *.json)</translation>
    </message>
    <message>
        <source>Models (*.onnx *.ort)</source>
        <translation>Modelle (*.onnx *.ort)</translation>
    </message>
    <message>
        <source>Look &amp;inside …</source>
        <translation>H&amp;ineinsehen …</translation>
    </message>
    <message>
        <source>The selected value as it is in a run: figures, elements, pictures</source>
        <translation>Der gewählte Wert, wie er in einem Lauf ist: Kennzahlen, Elemente, Bilder</translation>
    </message>
    <message>
        <source>&amp;Edit …</source>
        <translation>&amp;Bearbeiten …</translation>
    </message>
    <message>
        <source>Delete, insert, replace, rename, rewire: lines of text that make a variant</source>
        <translation>Löschen, einfügen, ersetzen, umbenennen, umverdrahten: Textzeilen, die eine Variante ergeben</translation>
    </message>
    <message>
        <source>&amp;Targets …</source>
        <translation>&amp;Ziele …</translation>
    </message>
    <message>
        <source>Other computers on which models are run and measured</source>
        <translation>Andere Rechner, auf denen Modelle laufen und gemessen werden</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>%1 cannot be reached</source>
        <translation>%1 ist nicht zu erreichen</translation>
    </message>
    <message>
        <source>Read aga&amp;in</source>
        <translation>Neu &amp;einlesen</translation>
    </message>
    <message>
        <source>Read the file of the open model again, as it is now on disk</source>
        <translation>Die Datei des offenen Modells noch einmal lesen, wie sie jetzt auf der Platte ist</translation>
    </message>
    <message>
        <source>&amp;Diagnostics …</source>
        <translation>&amp;Diagnose …</translation>
    </message>
    <message>
        <source>What to pass on with a report of a fault: versions, machine, settings and the log, without names of models</source>
        <translation>Was zu einer Fehlermeldung gehört: Versionen, Rechner, Einstellungen und das Protokoll, ohne Namen von Modellen</translation>
    </message>
    <message>
        <source>&amp;Export model …</source>
        <translation>Modell e&amp;xportieren …</translation>
    </message>
    <message>
        <source>Write the model as the variant in force has it, for those who are to run it</source>
        <translation>Das Modell so schreiben, wie die geltende Variante es hat, für alle, die es ausführen sollen</translation>
    </message>
    <message>
        <source>Save model re&amp;port …</source>
        <translation>Modellbe&amp;richt speichern …</translation>
    </message>
    <message>
        <source>One HTML file with graph, times, passes and advice, which needs no other program</source>
        <translation>Eine HTML-Datei mit Graph, Zeiten, Pässen und Ratschlägen, die kein anderes Programm braucht</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>Neues &amp;Fenster</translation>
    </message>
    <message>
        <source>Another window, for another model</source>
        <translation>Ein weiteres Fenster, für ein anderes Modell</translation>
    </message>
    <message>
        <source>&amp;Code snippet …</source>
        <translation>&amp;Codeausschnitt …</translation>
    </message>
    <message>
        <source>A program that runs the model in ONNX Runtime with the settings in force: Python, C, C++, C#, Rust</source>
        <translation>Ein Programm, das das Modell in ONNX Runtime mit den geltenden Einstellungen ausführt: Python, C, C++, C#, Rust</translation>
    </message>
    <message>
        <source>Show or hide the panel %1</source>
        <translation>Bereich %1 zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Find nodes, tensors, passes, pages, settings and commands by typing</source>
        <translation>Knoten, Tensoren, Pässe, Seiten, Einstellungen und Befehle durch Tippen finden</translation>
    </message>
    <message>
        <source>%1 is no longer there</source>
        <translation>%1 ist nicht mehr da</translation>
    </message>
    <message>
        <source>There is no %1. Tell where it is now, and it is read from there.</source>
        <translation>%1 gibt es nicht. Angeben, wo es jetzt liegt; dann wird es von dort gelesen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MapView</name>
    <message>
        <source>The values as a picture</source>
        <translation>Die Werte als Bild</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) of %1 × %2 values, from %3 to %4</source>
        <translation>
            <numerusform>%n Bild mit %1 × %2 Werten von %3 bis %4</numerusform>
            <numerusform>%n Bilder mit je %1 × %2 Werten von %3 bis %4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::MatchedTimelinesView</name>
    <message>
        <source>Typical runs of A and B</source>
        <translation>Typische Läufe von A und B</translation>
    </message>
    <message>
        <source>Left and right walk through the kernels of B. The table of nodes lists the same.</source>
        <translation>Links und rechts gehen durch die Kernels von B. Die Tabelle der Knoten nennt dasselbe.</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>In B: %1. In A: %2.</source>
        <translation>In B: %1. In A: %2.</translation>
    </message>
    <message>
        <source>In A: %1. In B: %2.</source>
        <translation>In A: %1. In B: %2.</translation>
    </message>
    <message>
        <source>Press Compare: a typical run of each is drawn here, kernel by kernel, with what stands for the same nodes joined.</source>
        <translation>Auf „Vergleichen“ drücken: Hier wird ein typischer Lauf von beiden Kernel für Kernel gezeichnet; was für dieselben Knoten steht, ist verbunden.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryCard</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>The most that is in use at one step: no layout needs less</source>
        <translation>Das Meiste, was in einem Schritt in Gebrauch ist: Keine Anordnung braucht weniger</translation>
    </message>
    <message>
        <source>The planned block, and storage for the graph outputs</source>
        <translation>Der geplante Block und Platz für die Graphausgaben</translation>
    </message>
    <message>
        <source>What the arena took from the system</source>
        <translation>Was die Arena vom System genommen hat</translation>
    </message>
    <message>
        <source>As much as is in use: the heap gives back what is free</source>
        <translation>So viel wie in Gebrauch: Der Heap gibt zurück, was frei ist</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>working memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>gaps at the peak</source>
        <translation>Lücken an der Spitze</translation>
    </message>
    <message>
        <source>Held but not used even at the peak: gaps of the layout, rounding</source>
        <translation>Gehalten, aber selbst an der Spitze von niemandem benutzt: Lücken der Anordnung, Rundung</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Free dimensions without a size are taken as %1.</source>
        <translation>Freie Dimensionen ohne Größe werden als %1 angenommen.</translation>
    </message>
    <message>
        <source>Sizes that only a run shows count as nothing here (%1): %2.</source>
        <translation>Größen, die erst ein Lauf verrät, zählen hier nichts (%1): %2.</translation>
    </message>
    <message>
        <source>The last run kept values in more than one kind of memory and copied %1 between them (copies: %2).</source>
        <translation>Der letzte Lauf hielt Werte in mehr als einer Art von Speicher und kopierte %1 zwischen ihnen (Kopien: %2).</translation>
    </message>
    <message>
        <source>process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>What the system counts as its own while a process runs the model</source>
        <translation>Was das System einem Prozess als eigen zurechnet, während er das Modell ausführt</translation>
    </message>
    <message>
        <source>weights as stored</source>
        <translation>Gewichte wie gespeichert</translation>
    </message>
    <message>
        <source>Bytes of constants in the file; %1 of them are in the process</source>
        <translation>Bytes der Konstanten in der Datei; %1 davon liegen im Prozess</translation>
    </message>
    <message>
        <source>packed copies</source>
        <translation>gepackte Kopien</translation>
    </message>
    <message>
        <source>Weights in the order that kernels read them; after packing %1 of the file&apos;s bytes are not needed any more</source>
        <translation>Gewichte in der Reihenfolge, in der Kernel sie lesen; nach dem Packen werden %1 der Bytes der Datei nicht mehr gebraucht</translation>
    </message>
    <message>
        <source>activations planned</source>
        <translation>geplante Aktivierungen</translation>
    </message>
    <message>
        <source>held by the arena</source>
        <translation>von der Arena gehalten</translation>
    </message>
    <message>
        <source>held in the last run</source>
        <translation>im letzten Lauf gehalten</translation>
    </message>
    <message>
        <source>The most that it held for activations at once, by its allocations</source>
        <translation>Das meiste, was er gleichzeitig für Aktivierungen hielt, nach seinen Anforderungen</translation>
    </message>
    <message>
        <source>Of what is planned at the peak: what nodes hand to each other</source>
        <translation>Von dem, was an der Spitze geplant ist: was Knoten einander übergeben</translation>
    </message>
    <message>
        <source>Of what is planned at the peak: what the caller gets</source>
        <translation>Von dem, was an der Spitze geplant ist: was der Aufrufer bekommt</translation>
    </message>
    <message>
        <source>Of what is planned at the peak: what kernels take while they run</source>
        <translation>Von dem, was an der Spitze geplant ist: was Kernel beim Rechnen brauchen</translation>
    </message>
    <message>
        <source>Planned for %1.</source>
        <translation>Geplant für %1.</translation>
    </message>
    <message>
        <source>The last run held %1 for activations: as planned.</source>
        <translation>Der letzte Lauf hielt %1 für Aktivierungen: wie geplant.</translation>
    </message>
    <message>
        <source>The last run held %1 for activations, %2 more than this plan says.</source>
        <translation>Der letzte Lauf hielt %1 für Aktivierungen, %2 mehr, als dieser Plan sagt.</translation>
    </message>
    <message>
        <source>The last run held %1 for activations, %2 less than this plan says.</source>
        <translation>Der letzte Lauf hielt %1 für Aktivierungen, %2 weniger, als dieser Plan sagt.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryCurve</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Activation memory over the steps of a run</source>
        <translation>Aktivierungsspeicher über die Schritte eines Laufs</translation>
    </message>
    <message>
        <source>No memory plan: it is made on the second run with the same input shapes, and traces do not carry it.</source>
        <translation>Kein Speicherplan: Er entsteht beim zweiten Lauf mit denselben Eingabeformen, und Traces enthalten ihn nicht.</translation>
    </message>
    <message>
        <source>alive</source>
        <translation>lebend</translation>
    </message>
    <message>
        <source>planned block</source>
        <translation>geplanter Block</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Of the planned block of %4 most is alive in step %2 (%3): %1. Weights as stored take %5.</source>
        <translation>Vom geplanten Block von %4 lebt in Schritt %2 (%3) am meisten: %1. Gewichte wie gespeichert brauchen %5.</translation>
    </message>
    <message>
        <source>In the selected range, steps %1 to %2, most is alive in step %4 (%5): %3.</source>
        <translation>Im gewählten Bereich, Schritte %1 bis %2, lebt in Schritt %4 (%5) am meisten: %3.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryHistory</name>
    <message>
        <source>Memory over the steps of a run</source>
        <translation>Speicher über die Schritte eines Laufs</translation>
    </message>
    <message>
        <source>Arrow keys move the cursor, P goes to the peak, plus and minus zoom, 0 shows all. The tables below follow the cursor.</source>
        <translation>Pfeiltasten bewegen den Zeiger, P geht zur Spitze, Plus und Minus zoomen, 0 zeigt alles. Die Tabellen darunter folgen dem Zeiger.</translation>
    </message>
    <message>
        <source>Step %1, %2: %3 in use</source>
        <translation>Schritt %1, %2: %3 in Gebrauch</translation>
    </message>
    <message>
        <source>activations %1</source>
        <translation>Aktivierungen %1</translation>
    </message>
    <message>
        <source>outputs %1</source>
        <translation>Ausgaben %1</translation>
    </message>
    <message>
        <source>working memory %1</source>
        <translation>Arbeitsspeicher %1</translation>
    </message>
    <message>
        <source>held for other steps %1</source>
        <translation>für andere Schritte gehalten %1</translation>
    </message>
    <message>
        <source>; measured %1</source>
        <translation>; gemessen %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryMap</name>
    <message>
        <source>Map of memory: addresses over the steps of a run</source>
        <translation>Speicherkarte: Adressen über die Schritte eines Laufs</translation>
    </message>
    <message>
        <source>Left and right move the cursor, up and down walk over the tensors alive there, Return shows the tensor in the graph. The table of lifetimes lists the same.</source>
        <translation>Links und rechts bewegen den Zeiger, auf und ab gehen durch die dort lebenden Tensoren, Enter zeigt den Tensor im Graphen. Die Tabelle der Lebensdauern führt dasselbe auf.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryOverlay</name>
    <message>
        <source>Memory of A and B</source>
        <translation>Speicher von A und B</translation>
    </message>
    <message>
        <source>Share of the steps (%)</source>
        <translation>Anteil der Schritte (%)</translation>
    </message>
    <message>
        <source>Activations of A and B over the steps of a run</source>
        <translation>Aktivierungen von A und B über die Schritte eines Laufs</translation>
    </message>
    <message>
        <source>No memory plan yet.</source>
        <translation>Noch kein Speicherplan.</translation>
    </message>
    <message>
        <source>Press Compare: both variants are profiled and their memory plans laid over each other.</source>
        <translation>„Vergleichen“ nimmt von beiden Varianten ein Profil auf und legt ihre Speicherpläne übereinander.</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Planned block</source>
        <translation>Geplanter Block</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>Most alive in the block</source>
        <translation>Höchstens lebend im Block</translation>
    </message>
    <message>
        <source>Weights as stored</source>
        <translation>Gewichte wie gespeichert</translation>
    </message>
    <message>
        <source>In the planned block at most %1 are alive in A (%2) and %3 in B (%4): %5.</source>
        <translation>Im geplanten Block leben höchstens %1 in A (%2) und %3 in B (%4): %5.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryPage</name>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Zoom memory in</source>
        <translation>Speicher vergrößern</translation>
    </message>
    <message>
        <source>Zoom memory out</source>
        <translation>Speicher verkleinern</translation>
    </message>
    <message>
        <source>Show all of memory</source>
        <translation>Den ganzen Speicher zeigen</translation>
    </message>
    <message>
        <source>Show all of memory. Wheel: zoom · Shift-drag: pan · Ctrl-wheel: zoom addresses</source>
        <translation>Den ganzen Speicher zeigen. Rad: Zoom · Umschalt-Ziehen: verschieben · Strg-Rad: Adressen zoomen</translation>
    </message>
    <message>
        <source>Go to the peak of memory</source>
        <translation>Zur Spitze des Speichers</translation>
    </message>
    <message>
        <source>Copy the picture of memory</source>
        <translation>Bild des Speichers kopieren</translation>
    </message>
    <message>
        <source>Save the picture of memory …</source>
        <translation>Bild des Speichers speichern …</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <source>Save the lifetimes of tensors …</source>
        <translation>Lebensdauern der Tensoren speichern …</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>&amp;Gewichte</translation>
    </message>
    <message>
        <source>A band for the constants beneath the curve</source>
        <translation>Ein Band für die Konstanten unter der Kurve</translation>
    </message>
    <message>
        <source>&amp;Held</source>
        <translation>Ge&amp;halten</translation>
    </message>
    <message>
        <source>What is held at a step without being in use there</source>
        <translation>Was in einem Schritt gehalten wird, ohne dort in Gebrauch zu sein</translation>
    </message>
    <message>
        <source>&amp;Measured</source>
        <translation>&amp;Gemessen</translation>
    </message>
    <message>
        <source>What the last run held at each step, by its allocations</source>
        <translation>Was der letzte Lauf in jedem Schritt hielt, nach seinen Anforderungen</translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation>&amp;Farbe nach</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>Farbe nach</translation>
    </message>
    <message>
        <source>role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>What the colours of the map stand for: role of the tensor, operator that wrote it, size, module (prefix of the node&apos;s name)</source>
        <translation>Wofür die Farben der Karte stehen: Rolle des Tensors, schreibender Operator, Größe, Modul (Anfang des Knotennamens)</translation>
    </message>
    <message>
        <source>Copy or save picture and table</source>
        <translation>Bild und Tabelle kopieren oder speichern</translation>
    </message>
    <message>
        <source>&amp;At the cursor</source>
        <translation>&amp;Am Zeiger</translation>
    </message>
    <message>
        <source>&amp;Lifetimes</source>
        <translation>&amp;Lebensdauern</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>Es wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Memory with other settings</source>
        <translation>Speicher mit anderen Einstellungen</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell ist offen</translation>
    </message>
    <message>
        <source>Open an ONNX model or take a sample from the start page: you will see what it holds in memory and why. Nothing has to run.</source>
        <translation>Ein ONNX-Modell öffnen oder ein Beispiel von der Startseite nehmen: Man sieht, was es im Speicher hält und warum. Nichts muss laufen.</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Planning memory …</source>
        <translation>Speicher wird geplant …</translation>
    </message>
    <message>
        <source>The memory of this model cannot be computed</source>
        <translation>Der Speicher dieses Modells lässt sich nicht sagen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Step %1 (the peak): %2 in use, %3 held; %4</source>
        <translation>Schritt %1 (die Spitze): %2 in Gebrauch, %3 gehalten; %4</translation>
    </message>
    <message>
        <source>Step %1: %2 in use, %3 held; %4</source>
        <translation>Schritt %1: %2 in Gebrauch, %3 gehalten; %4</translation>
    </message>
    <message>
        <source>This tensor is made by the session itself and is not part of the open model.</source>
        <translation>Diesen Tensor legt die Sitzung selbst an; er gehört nicht zum geöffneten Modell.</translation>
    </message>
    <message>
        <source>This step is not a node of the open model.</source>
        <translation>Dieser Schritt ist kein Knoten des geöffneten Modells.</translation>
    </message>
    <message>
        <source>Applied: press F5 to run with these settings.</source>
        <translation>Übernommen: F5 führt mit diesen Einstellungen aus.</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>Saved the picture %1.</source>
        <translation>Das Bild %1 ist gespeichert.</translation>
    </message>
    <message>
        <source>Saved the table %1.</source>
        <translation>Die Tabelle %1 ist gespeichert.</translation>
    </message>
    <message>
        <source>Plan, arena, threads and sizes as here, from the next run on; sharing and fusing have no setting</source>
        <translation>Plan, Arena, Threads und Größen wie hier, ab dem nächsten Lauf; für Teilen und Verschmelzen gibt es keine Einstellung</translation>
    </message>
    <message>
        <source>The run settings say the same of plan, arena, threads and sizes</source>
        <translation>Die Laufeinstellungen sagen zu Plan, Arena, Threads und Größen dasselbe</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>&amp;Copies</source>
        <translation>&amp;Kopien</translation>
    </message>
    <message>
        <source>Memory of %1 · %2</source>
        <translation>Speicher von %1 · %2</translation>
    </message>
    <message>
        <source>By conte&amp;xt</source>
        <translation>Nach Konte&amp;xt</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MessageBanner</name>
    <message>
        <source>Copy details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Copy the whole message to the clipboard</source>
        <translation>Die ganze Meldung in die Zwischenablage kopieren</translation>
    </message>
    <message>
        <source>Dismiss this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MetadataFields</name>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Add an entry</source>
        <translation>Eintrag hinzufügen</translation>
    </message>
    <message>
        <source>Remove the entry</source>
        <translation>Eintrag entfernen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ModeRail</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ModuleWaterfall</name>
    <message>
        <source>A as a whole</source>
        <translation>A im Ganzen</translation>
    </message>
    <message>
        <source>B as a whole</source>
        <translation>B im Ganzen</translation>
    </message>
    <message>
        <source>within noise (%1 parts)</source>
        <translation>im Rauschen (%1 Teile)</translation>
    </message>
    <message>
        <source>nodes of no original one</source>
        <translation>Knoten ohne Ursprung</translation>
    </message>
    <message>
        <source>session overhead</source>
        <translation>Sitzungsaufwand</translation>
    </message>
    <message>
        <source>(outside of all scopes)</source>
        <translation>(außerhalb aller Namensräume)</translation>
    </message>
    <message>
        <source>A: %1, B: %2, difference per run: %3</source>
        <translation>A: %1, B: %2, Unterschied je Lauf: %3</translation>
    </message>
    <message>
        <source>The 95 % interval of each of these parts holds 0.</source>
        <translation>Das 95-%-Intervall jedes dieser Teile enthält 0.</translation>
    </message>
    <message>
        <source>Times of fused nodes are shared out among the %1 original nodes in it.</source>
        <translation>Zeiten verschmolzener Knoten sind auf die %1 ursprünglichen Knoten darin verteilt.</translation>
    </message>
    <message>
        <source>Difference by part of the model</source>
        <translation>Unterschied nach Teilen des Modells</translation>
    </message>
    <message>
        <source>The names of this model&apos;s nodes show no parts: see Operators and Nodes.</source>
        <translation>Die Namen der Knoten nennen keine Teile: siehe Operatoren und Knoten.</translation>
    </message>
    <message>
        <source>Press Compare: both variants are profiled, times of fused nodes are rolled back onto the parts of the model, and the bars lead from A to B.</source>
        <translation>Auf „Vergleichen“ drücken: Beide Varianten werden profiliert, Zeiten verschmolzener Knoten auf die Teile des Modells zurückgerechnet, und die Balken führen von A nach B.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::NearMissPanel</name>
    <message>
        <source>Near misses</source>
        <translation>Beinahe-Treffer</translation>
    </message>
    <message>
        <source>Filter near misses</source>
        <translation>Beinahe-Treffer filtern</translation>
    </message>
    <message>
        <source>Why the chosen place was left alone</source>
        <translation>Warum die gewählte Stelle in Ruhe gelassen wurde</translation>
    </message>
    <message>
        <source>Nothing is optimized yet.</source>
        <translation>Noch ist nichts optimiert.</translation>
    </message>
    <message>
        <source>No pass ran on the original. Choose a level above.</source>
        <translation>Auf das Original wurde kein Pass angewandt. Oben eine Stufe wählen.</translation>
    </message>
    <message>
        <source>No pattern came near: every place that resembles one was rewritten.</source>
        <translation>Kein Muster kam in die Nähe: Jede ähnliche Stelle wurde umgeformt.</translation>
    </message>
    <message>
        <source>Choose a line to mark the nodes that matched so far; the root of the pattern has a question mark.</source>
        <translation>Eine Zeile wählen, um die bisher passenden Knoten zu markieren; die Wurzel des Musters trägt ein Fragezeichen.</translation>
    </message>
    <message numerus="yes">
        <source>%1 left %2 alone: %3.
%n node(s) matched so far.</source>
        <translation>
            <numerusform>%1 ließ %2 in Ruhe: %3.
%n Knoten passte bisher.</numerusform>
            <numerusform>%1 ließ %2 in Ruhe: %3.
%n Knoten passten bisher.</numerusform>
        </translation>
    </message>
    <message>
        <source>Next &amp;place</source>
        <translation>Nächste &amp;Stelle</translation>
    </message>
    <message>
        <source>Mark the next of the places that this line stands for</source>
        <translation>Die nächste der Stellen markieren, für die diese Zeile steht</translation>
    </message>
    <message>
        <source>Place %1 of %2.</source>
        <translation>Stelle %1 von %2.</translation>
    </message>
    <message>
        <source>Rewritten, this would save at most %1 of a run (measured).</source>
        <translation>Umgeschrieben würde das höchstens %1 eines Laufs sparen (gemessen).</translation>
    </message>
    <message>
        <source>Rewritten, this would save at most %1 of a run (estimated).</source>
        <translation>Umgeschrieben würde das höchstens %1 eines Laufs sparen (geschätzt).</translation>
    </message>
    <message>
        <source>Newer &amp;opset …</source>
        <translation>Neueres &amp;Opset …</translation>
    </message>
    <message>
        <source>Fix &amp;dimensions …</source>
        <translation>&amp;Dimensionen festlegen …</translation>
    </message>
    <message>
        <source>Fewer ou&amp;tputs …</source>
        <translation>Weniger Aus&amp;gaben …</translation>
    </message>
    <message>
        <source>Opens Model ▸ Convert: the change may satisfy the condition, so that the pass applies</source>
        <translation>Öffnet Modell ▸ Umwandeln: Die Änderung kann die Bedingung erfüllen, sodass der Pass greift</translation>
    </message>
</context>
<context>
    <name>lapidary::views::NodeDifferences</name>
    <message>
        <source>(of no original node)</source>
        <translation>(von keinem ursprünglichen Knoten)</translation>
    </message>
    <message>
        <source>nothing: it was folded or removed</source>
        <translation>nichts: Er wurde gefaltet oder entfernt</translation>
    </message>
    <message>
        <source>%1 (%2)
In A: %3, %4
In B: %5, %6</source>
        <translation>%1 (%2)
In A: %3, %4
In B: %5, %6</translation>
    </message>
    <message>
        <source>No interval: fewer than three profiled runs on a side.</source>
        <translation>Kein Intervall: auf einer Seite weniger als drei Läufe mit Profil.</translation>
    </message>
    <message>
        <source>95 % interval of the difference: %1. It leaves out 0: significant.</source>
        <translation>95-%-Intervall des Unterschieds: %1. Es lässt 0 aus: signifikant.</translation>
    </message>
    <message>
        <source>95 % interval of the difference: %1. It holds 0: no difference beyond noise.</source>
        <translation>95-%-Intervall des Unterschieds: %1. Es enthält 0: kein Unterschied über das Rauschen hinaus.</translation>
    </message>
    <message>
        <source>Difference by original node</source>
        <translation>Unterschied nach ursprünglichem Knoten</translation>
    </message>
    <message>
        <source>Only &amp;significant ones</source>
        <translation>Nur &amp;signifikante</translation>
    </message>
    <message>
        <source>Filter by name or operator</source>
        <translation>Nach Name oder Operator filtern</translation>
    </message>
    <message>
        <source>Filter the nodes</source>
        <translation>Knoten filtern</translation>
    </message>
    <message>
        <source>Show only nodes whose 95 % interval of the difference leaves out 0. Of many nodes without any difference, one in twenty is shown by chance.</source>
        <translation>Nur Knoten zeigen, deren 95-%-Intervall des Unterschieds 0 auslässt. Von vielen Knoten ohne jeden Unterschied wird einer von zwanzig durch Zufall gezeigt.</translation>
    </message>
    <message>
        <source>%1 of %2 nodes</source>
        <translation>%1 von %2 Knoten</translation>
    </message>
    <message>
        <source>Press Compare: both variants are profiled and their times are brought together by original node.</source>
        <translation>„Vergleichen“ nimmt von beiden Varianten ein Profil auf und führt ihre Zeiten nach ursprünglichem Knoten zusammen.</translation>
    </message>
    <message>
        <source>No node differs beyond noise. More profiled runs (Run page) show smaller differences.</source>
        <translation>Kein Knoten unterscheidet sich über das Rauschen hinaus. Mehr Läufe mit Profil (Seite Lauf) zeigen kleinere Unterschiede.</translation>
    </message>
    <message>
        <source>No node matches.</source>
        <translation>Kein Knoten passt.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::NodeTable</name>
    <message>
        <source>Time by node</source>
        <translation>Zeit nach Knoten</translation>
    </message>
    <message>
        <source>Filter by name, operator, kernel or shape</source>
        <translation>Nach Name, Operator, Kernel oder Form filtern</translation>
    </message>
    <message>
        <source>Filter nodes</source>
        <translation>Knoten filtern</translation>
    </message>
    <message>
        <source>No node matches.</source>
        <translation>Kein Knoten passt.</translation>
    </message>
    <message>
        <source>Nodes of</source>
        <translation>Knoten von</translation>
    </message>
    <message>
        <source>Which graph&apos;s nodes the times are shown on: those that ran, or the original ones they stand for</source>
        <translation>Auf wessen Knoten die Zeiten gezeigt werden: auf denen, die liefen, oder den ursprünglichen, für die sie stehen</translation>
    </message>
    <message>
        <source>this variant</source>
        <translation>dieser Variante</translation>
    </message>
    <message>
        <source>the original</source>
        <translation>dem Original</translation>
    </message>
    <message>
        <source>Nodes of:</source>
        <translation>Knoten von:</translation>
    </message>
    <message>
        <source>nodes: %1</source>
        <translation>Knoten: %1</translation>
    </message>
    <message>
        <source>nodes: %1 of %2</source>
        <translation>Knoten: %1 von %2</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>Arithmetik</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>caches</source>
        <translation>Caches</translation>
    </message>
    <message>
        <source>It reaches %1 of what this machine&apos;s arithmetic units can do; memory would allow more.</source>
        <translation>Er erreicht %1 dessen, was die Rechenwerke dieser Maschine können; der Speicher ließe mehr zu.</translation>
    </message>
    <message>
        <source>It reaches %1 of the speed at which this machine reads memory; its arithmetic would be done sooner.</source>
        <translation>Er erreicht %1 der Geschwindigkeit, mit der diese Maschine Speicher liest; das Rechnen wäre früher fertig.</translation>
    </message>
    <message>
        <source>Its data came out of the caches, faster than memory delivers; it reaches %1 of what the arithmetic units can do.</source>
        <translation>Seine Daten kamen aus den Caches, schneller als der Speicher liefert; er erreicht %1 dessen, was die Rechenwerke können.</translation>
    </message>
    <message>
        <source>Not known: the operator only renames its data, or its work or the machine it ran on are not known.</source>
        <translation>Unbekannt: Der Operator benennt seine Daten nur um, oder seine Arbeit oder die Maschine, auf der er lief, sind nicht bekannt.</translation>
    </message>
    <message>
        <source>%1, then reference</source>
        <translation>%1, dann Referenz</translation>
    </message>
    <message>
        <source>%1 of %2 calls ran on the reference kernel: %3</source>
        <translation>%1 von %2 Aufrufen liefen auf dem Referenzkernel: %3</translation>
    </message>
    <message>
        <source>A copy from or to the memory of %1</source>
        <translation>Eine Kopie aus dem Speicher von %1 oder in ihn</translation>
    </message>
    <message>
        <source>On %1, because %2</source>
        <translation>Auf %1, weil: %2</translation>
    </message>
    <message>
        <source>It reaches %1 of what the arithmetic units of %2 can do; memory would allow more.</source>
        <translation>Er erreicht %1 dessen, was die Rechenwerke von %2 können; der Speicher ließe mehr zu.</translation>
    </message>
    <message>
        <source>It reaches %1 of the speed at which %2 reads its memory; its arithmetic would be done sooner.</source>
        <translation>Er erreicht %1 der Geschwindigkeit, mit der %2 seinen Speicher liest; das Rechnen wäre früher fertig.</translation>
    </message>
    <message>
        <source>Nodes of other operators are hidden; press to show them again</source>
        <translation>Knoten anderer Operatoren sind ausgeblendet; drücken, um sie wieder zu zeigen</translation>
    </message>
    <message>
        <source>%1 only</source>
        <translation>nur %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::NoiseMeter</name>
    <message>
        <source>quiet</source>
        <translation>ruhig</translation>
    </message>
    <message>
        <source>some noise</source>
        <translation>etwas Rauschen</translation>
    </message>
    <message>
        <source>noisy</source>
        <translation>unruhig</translation>
    </message>
    <message>
        <source>The machine is quiet: measurements are worth what their intervals say.</source>
        <translation>Die Maschine ist ruhig: Messungen sind so viel wert, wie ihre Intervalle sagen.</translation>
    </message>
    <message>
        <source>Other work runs: differences of a few percent may drown, and measuring takes longer.</source>
        <translation>Andere Arbeit läuft: Unterschiede von wenigen Prozent können untergehen, und Messen dauert länger.</translation>
    </message>
    <message>
        <source>The machine is busy or slowed down: end other programs or wait before measuring.</source>
        <translation>Die Maschine ist beschäftigt oder gebremst: vor dem Messen andere Programme beenden oder warten.</translation>
    </message>
    <message>
        <source>Noise of the machine</source>
        <translation>Rauschen der Maschine</translation>
    </message>
    <message>
        <source>How quiet the machine is shows in a few seconds.</source>
        <translation>Wie ruhig die Maschine ist, zeigt sich in einigen Sekunden.</translation>
    </message>
    <message>
        <source>Speed of a known piece of work: %1 of the best seen</source>
        <translation>Tempo einer bekannten Arbeit: %1 des besten gesehenen</translation>
    </message>
    <message>
        <source>Other programs use %1 of the cores</source>
        <translation>Andere Programme nutzen %1 der Kerne</translation>
    </message>
    <message>
        <source>The host of this virtual machine takes %1 of the cores</source>
        <translation>Der Wirt dieser virtuellen Maschine nimmt %1 der Kerne</translation>
    </message>
    <message>
        <source>As it was before the task that runs now.</source>
        <translation>Wie vor der Aufgabe, die gerade läuft.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::NotesPanel</name>
    <message>
        <source>Notes of the project</source>
        <translation>Notizen des Projekts</translation>
    </message>
    <message>
        <source>What you want to remember of this model. Saved with the project and put into reports.</source>
        <translation>Was man sich zu diesem Modell merken will. Wird mit dem Projekt gespeichert und in Berichte übernommen.</translation>
    </message>
    <message>
        <source>These notes are too long to be edited here (%1 characters); they stay in the project as they are. Shortened:</source>
        <translation>Diese Notizen sind zu lang, um hier bearbeitet zu werden (%1 Zeichen); im Projekt bleiben sie, wie sie sind. Gekürzt:</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OperatorBars</name>
    <message>
        <source>%1 (%2)
%3, %4 of the wall time
Calls: %5</source>
        <translation>%1 (%2)
%3, %4 der Laufzeit
Aufrufe: %5</translation>
    </message>
    <message>
        <source>Time by operator</source>
        <translation>Zeit nach Operator</translation>
    </message>
    <message>
        <source>No kernel ran in the selected range.</source>
        <translation>Im gewählten Bereich lief kein Kernel.</translation>
    </message>
    <message>
        <source>session overhead</source>
        <translation>Sitzungsaufwand</translation>
    </message>
    <message>
        <source>Time of a run in which no kernel ran: the walk from kernel to kernel and the profiler itself
%1, %2 of the wall time</source>
        <translation>Zeit eines Laufs, in der kein Kernel lief: der Weg von Kernel zu Kernel und der Profiler selbst
%1, %2 der Laufzeit</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OperatorDifferences</name>
    <message>
        <source>The walk from kernel to kernel and the profiler itself</source>
        <translation>Der Weg von Kernel zu Kernel und der Profiler selbst</translation>
    </message>
    <message>
        <source>%1
A: %2, calls: %3
B: %4, calls: %5
Difference per run: %6</source>
        <translation>%1
A: %2, Aufrufe: %3
B: %4, Aufrufe: %5
Unterschied je Lauf: %6</translation>
    </message>
    <message>
        <source>Difference by operator</source>
        <translation>Unterschied nach Operator</translation>
    </message>
    <message>
        <source>In the blocked layout (NCHWc): %1 calls in A, %2 in B</source>
        <translation>In Blockanordnung (NCHWc): %1 Aufrufe in A, %2 in B</translation>
    </message>
    <message>
        <source>session overhead</source>
        <translation>Sitzungsaufwand</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OperatorField</name>
    <message>
        <source>Find an operator</source>
        <translation>Operator suchen</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was er tut</translation>
    </message>
    <message>
        <source>Reads %1.
Writes %2.</source>
        <translation>Liest %1.
Schreibt %2.</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>optional</translation>
    </message>
    <message>
        <source>attribute &quot;%1&quot; of %2</source>
        <translation>Attribut „%1“ von %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OperatorScalingTable</name>
    <message>
        <source>scales throughout</source>
        <translation>skaliert durchweg</translation>
    </message>
    <message>
        <source>Every step to more threads gains at least 5 %</source>
        <translation>Jeder Schritt zu mehr Threads bringt mindestens 5 %</translation>
    </message>
    <message>
        <source>Beyond %1 it gains less than 5 %</source>
        <translation>Jenseits von %1 bringt es weniger als 5 %</translation>
    </message>
    <message>
        <source>Scaling by operator</source>
        <translation>Skalierung nach Operator</translation>
    </message>
    <message>
        <source>Which operators profit from threads appears when settings with different numbers of threads are measured.</source>
        <translation>Welche Operatoren von Threads profitieren, erscheint, wenn Einstellungen mit verschiedenen Threadzahlen gemessen sind.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OptimizePage</name>
    <message>
        <source>Original: %1, nothing applied.</source>
        <translation>Original: %1, nichts angewandt.</translation>
    </message>
    <message>
        <source>%1: nothing to optimize, 0 of %2 passes match; near misses: %3.</source>
        <translation>%1: nichts zu optimieren, 0 von %2 Pässen treffen zu; Beinahe-Treffer: %3.</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell ist offen</translation>
    </message>
    <message>
        <source>Open an ONNX model to see what each optimization level does to it, rewrite by rewrite.</source>
        <translation>Ein ONNX-Modell öffnen, um zu sehen, was jede Optimierungsstufe damit macht, Umformung für Umformung.</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Nothing is optimized yet</source>
        <translation>Noch ist nichts optimiert</translation>
    </message>
    <message>
        <source>The model could not be optimized</source>
        <translation>Das Modell konnte nicht optimiert werden</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>Optimieren</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 schlug fehl: %2</translation>
    </message>
    <message>
        <source>Optimizing: %1 …</source>
        <translation>Wird optimiert: %1 …</translation>
    </message>
    <message>
        <source>&amp;Changes (%1)</source>
        <translation>&amp;Änderungen (%1)</translation>
    </message>
    <message>
        <source>&amp;Changes</source>
        <translation>&amp;Änderungen</translation>
    </message>
    <message>
        <source>&amp;Near misses (%1)</source>
        <translation>&amp;Beinahe-Treffer (%1)</translation>
    </message>
    <message>
        <source>&amp;Near misses</source>
        <translation>&amp;Beinahe-Treffer</translation>
    </message>
    <message>
        <source>The original graph</source>
        <translation>Der ursprüngliche Graph</translation>
    </message>
    <message>
        <source>All rewrites applied</source>
        <translation>Alle Umformungen angewandt</translation>
    </message>
    <message>
        <source>Draw step %1</source>
        <translation>Schritt %1 zeichnen</translation>
    </message>
    <message>
        <source>These nodes are not drawn: their graph is no longer part of the model.</source>
        <translation>Diese Knoten sind nicht gezeichnet: Ihr Graph gehört nicht mehr zum Modell.</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Show the graphs before and after side by side</source>
        <translation>Die Graphen davor und danach nebeneinander zeigen</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Übereinander</translation>
    </message>
    <message>
        <source>Show both graphs on top of each other: dashed red with a minus went, green with a plus came</source>
        <translation>Beide Graphen übereinander zeigen: gestrichelt rot mit Minus fiel weg, grün mit Plus kam hinzu</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>Alles einpassen</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>Den ganzen Graphen zeigen</translation>
    </message>
    <message>
        <source>Zoom to the step</source>
        <translation>Zum Schritt zoomen</translation>
    </message>
    <message>
        <source>Show what the step changed</source>
        <translation>Zeigen, was der Schritt geändert hat</translation>
    </message>
    <message>
        <source>Use this graph</source>
        <translation>Diesen Graphen verwenden</translation>
    </message>
    <message>
        <source>Show and run this variant on the other pages</source>
        <translation>Diese Variante auf den anderen Seiten zeigen und ausführen</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Copy the lapidary-cli command that repeats this</source>
        <translation>Den lapidary-cli-Befehl kopieren, der dies wiederholt</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Run the original and this variant on the same inputs and compare every output</source>
        <translation>Original und Variante mit denselben Eingaben ausführen und jede Ausgabe vergleichen</translation>
    </message>
    <message>
        <source>Export …</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Write the optimized model: portable, plain ONNX or for this CPU</source>
        <translation>Das optimierte Modell schreiben: portabel, als schlichtes ONNX oder für diese CPU</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>What the graph after the step is compared with</source>
        <translation>Womit der Graph nach dem Schritt verglichen wird</translation>
    </message>
    <message>
        <source>All changes so far</source>
        <translation>Alle bisherigen Änderungen</translation>
    </message>
    <message>
        <source>This step only</source>
        <translation>Nur dieser Schritt</translation>
    </message>
    <message>
        <source>Optimize tools</source>
        <translation>Optimierungswerkzeuge</translation>
    </message>
    <message>
        <source>What the passes did</source>
        <translation>Was die Pässe taten</translation>
    </message>
    <message>
        <source>&amp;Passes</source>
        <translation>&amp;Pässe</translation>
    </message>
    <message>
        <source>&amp;Guard</source>
        <translation>&amp;Prüfung</translation>
    </message>
    <message>
        <source>%1: %2; %3 → %4 nodes</source>
        <translation>%1: %2; %3 → %4 Knoten</translation>
    </message>
    <message>
        <source>Stop measuring the levels</source>
        <translation>Messen der Stufen abbrechen</translation>
    </message>
    <message>
        <source>Measure the levels</source>
        <translation>Stufen messen</translation>
    </message>
    <message>
        <source>&amp;Changes (%1 + %2)</source>
        <translation>Ä&amp;nderungen (%1 + %2)</translation>
    </message>
    <message>
        <source>Rewrites of the model, and those that a session makes in its own copy</source>
        <translation>Umformungen des Modells, und die, die eine Sitzung an ihrer eigenen Kopie vornimmt</translation>
    </message>
    <message>
        <source>All rewrites applied; a session makes 1 more in its own copy</source>
        <translation>Alle Umformungen angewandt; eine Sitzung macht an ihrer Kopie 1 weitere</translation>
    </message>
    <message>
        <source>All rewrites applied; a session makes %1 more in its own copy</source>
        <translation>Alle Umformungen angewandt; eine Sitzung macht an ihrer Kopie %1 weitere</translation>
    </message>
    <message>
        <source>Measure the levels in turn with the sizes and threads in force</source>
        <translation>Die Stufen abwechselnd messen, mit den geltenden Größen und Threads</translation>
    </message>
    <message>
        <source>choose %1</source>
        <translation>%1 wählen</translation>
    </message>
    <message>
        <source>Compact result</source>
        <translation>Kompaktes Ergebnis</translation>
    </message>
    <message>
        <source>Lay the finished graph out for itself; without it what went stays drawn beneath it</source>
        <translation>Den fertigen Graphen für sich anordnen; ohne dies bleibt darunter gezeichnet, was ging</translation>
    </message>
    <message>
        <source>; a session&apos;s own passes leave %1</source>
        <translation>; eigene Durchgänge einer Sitzung lassen %1</translation>
    </message>
    <message>
        <source>M&amp;isses</source>
        <translation>&amp;Beinahe</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OrderFields</name>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Names in their order</source>
        <translation>Namen in ihrer Reihenfolge</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Move the name up</source>
        <translation>Den Namen nach oben verschieben</translation>
    </message>
    <message>
        <source>Move the name down</source>
        <translation>Den Namen nach unten verschieben</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OriginalNodes</name>
    <message>
        <source>All of this time is the node&apos;s own.</source>
        <translation>Diese Zeit gehört ganz diesem Knoten.</translation>
    </message>
    <message>
        <source>A part of the time of one node that stands for %1 original ones.</source>
        <translation>Ein Teil der Zeit eines Knotens, der für %1 ursprüngliche steht.</translation>
    </message>
    <message>
        <source>Time by original node</source>
        <translation>Zeit nach ursprünglichem Knoten</translation>
    </message>
    <message>
        <source>No node matches.</source>
        <translation>Kein Knoten passt.</translation>
    </message>
    <message>
        <source>Nodes that stand for several original ones: %1. Their times are divided by estimated work.</source>
        <translation>Knoten, die für mehrere ursprüngliche stehen: %1. Ihre Zeiten sind nach geschätzter Arbeit aufgeteilt.</translation>
    </message>
    <message>
        <source>Nodes that stand for several original ones: %1. Their times are divided evenly, as not all sizes are known.</source>
        <translation>Knoten, die für mehrere ursprüngliche stehen: %1. Ihre Zeiten sind gleichmäßig aufgeteilt, da nicht alle Größen bekannt sind.</translation>
    </message>
    <message>
        <source>Of no original node: %1 (%2).</source>
        <translation>Von keinem ursprünglichen Knoten: %1 (%2).</translation>
    </message>
    <message>
        <source>All times belong to original nodes.</source>
        <translation>Alle Zeiten gehören zu ursprünglichen Knoten.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OutputDetails</name>
    <message>
        <source>Largest values</source>
        <translation>Größte Werte</translation>
    </message>
    <message>
        <source>&amp;Labels …</source>
        <translation>&amp;Bezeichnungen …</translation>
    </message>
    <message>
        <source>Values of the output</source>
        <translation>Werte der Ausgabe</translation>
    </message>
    <message>
        <source>A text file with the name of a class per line</source>
        <translation>Eine Textdatei mit dem Namen einer Klasse je Zeile</translation>
    </message>
    <message>
        <source>Largest %1</source>
        <translation>Die größten %1</translation>
    </message>
    <message>
        <source>Output %1 as a picture</source>
        <translation>Ausgabe %1 als Bild</translation>
    </message>
    <message>
        <source>✓ As recorded: the largest difference is %1.</source>
        <translation>✓ Wie aufgezeichnet: der größte Unterschied ist %1.</translation>
    </message>
    <message>
        <source>✗ Not as recorded: %1</source>
        <translation>✗ Nicht wie aufgezeichnet: %1</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Bezeichnungen</translation>
    </message>
    <message>
        <source>A label per line (*.txt)</source>
        <translation>Eine Bezeichnung je Zeile (*.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OutputDifferences</name>
    <message>
        <source>✓ the same</source>
        <translation>✓ gleich</translation>
    </message>
    <message>
        <source>✗ differs</source>
        <translation>✗ weicht ab</translation>
    </message>
    <message>
        <source>Outputs of A and B on the same inputs</source>
        <translation>Ausgaben von A und B auf denselben Eingaben</translation>
    </message>
    <message>
        <source>The model has no outputs.</source>
        <translation>Das Modell hat keine Ausgaben.</translation>
    </message>
    <message>
        <source>Press Compare: both variants get the same generated inputs and every output is compared.</source>
        <translation>„Vergleichen“ gibt beiden Varianten dieselben erzeugten Eingaben und vergleicht jede Ausgabe.</translation>
    </message>
    <message>
        <source>Within the tolerance of the guard</source>
        <translation>Innerhalb der Toleranz der Prüfung</translation>
    </message>
    <message>
        <source>Power of A&apos;s values over that of the difference; 20 dB more are a tenth of the difference</source>
        <translation>Leistung der Werte von A gegen die des Unterschieds; 20 dB mehr sind ein Zehntel des Unterschieds</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>An answer is where the largest element along the last axis is: the class of a classifier, the next token of a decoder</source>
        <translation>Eine Antwort ist die Stelle des größten Elements entlang der letzten Achse: die Klasse eines Klassifikators, das nächste Token eines Decoders</translation>
    </message>
    <message>
        <source>≈ within %1 rounding</source>
        <translation>≈ innerhalb der Rundung von %1</translation>
    </message>
    <message>
        <source>Apart by more than float32 rounds. An SQNR of %1 or more is at most ten times the error of one rounding to %2.</source>
        <translation>Weiter auseinander, als float32 rundet. Ein SQNR von %1 oder mehr ist höchstens das Zehnfache des Fehlers einer Rundung auf %2.</translation>
    </message>
    <message>
        <source>No answers: the last axis is not one of classes, by the shape or the name of the output, as of caches and hidden states</source>
        <translation>Keine Antworten: Nach Form oder Namen der Ausgabe sind auf der letzten Achse keine Klassen, wie bei Caches und verborgenen Zuständen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OutputPanel</name>
    <message>
        <source>Accuracy of the outputs</source>
        <translation>Genauigkeit der Ausgaben</translation>
    </message>
    <message>
        <source>After quantizing, every output stands here with how far it is off.</source>
        <translation>Nach dem Quantisieren steht hier jede Ausgabe mit ihrer Abweichung.</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OutputTable</name>
    <message>
        <source>Outputs of the run</source>
        <translation>Ausgaben des Laufs</translation>
    </message>
    <message>
        <source>A trace holds no outputs. Run the model to see them.</source>
        <translation>Ein Trace enthält keine Ausgaben. Das Modell ausführen, um sie zu sehen.</translation>
    </message>
    <message>
        <source>✓ within %1</source>
        <translation>✓ bis auf %1</translation>
    </message>
    <message>
        <source>✗ off by %1</source>
        <translation>✗ um %1 daneben</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ParetoPanel</name>
    <message>
        <source>SQNR against size or time</source>
        <translation>SQNR gegen Größe oder Zeit</translation>
    </message>
    <message>
        <source>After quantizing, every recipe is a point here.</source>
        <translation>Nach dem Quantisieren ist jedes Rezept hier ein Punkt.</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>Gegen</translation>
    </message>
    <message>
        <source>SQNR &amp;against</source>
        <translation>SQNR &amp;gegen</translation>
    </message>
    <message>
        <source>the result</source>
        <translation>das Ergebnis</translation>
    </message>
    <message>
        <source>Time per run, ms</source>
        <translation>Zeit je Lauf, ms</translation>
    </message>
    <message>
        <source>Constants in the file, MB</source>
        <translation>Konstanten in der Datei, MB</translation>
    </message>
    <message>
        <source>SQNR, dB</source>
        <translation>SQNR, dB</translation>
    </message>
    <message>
        <source>Constants in the file, kB</source>
        <translation>Konstanten in der Datei, kB</translation>
    </message>
    <message>
        <source>%1 of %2 recipes are beaten by no other in size, time and SQNR. ★ is the result; click a point to choose it. The diamond is the float model.</source>
        <translation>%1 von %2 Rezepten schlägt kein anderes in Größe, Zeit und SQNR. ★ ist das Ergebnis; ein Klick auf einen Punkt wählt ihn. Die Raute ist das Modell in Gleitkomma.</translation>
    </message>
    <message>
        <source>Original: the float model</source>
        <translation>Original: das Modell in Gleitkomma</translation>
    </message>
    <message>
        <source>No noise: it is drawn above all recipes</source>
        <translation>Kein Rauschen: es ist über allen Rezepten gezeichnet</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>It lies farther to the right than it is drawn</source>
        <translation>Es liegt weiter rechts, als es gezeichnet ist</translation>
    </message>
    <message>
        <source>Original →</source>
        <translation>Original →</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PassListPanel</name>
    <message>
        <source>Defaults</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>Filter passes, also by ONNX Runtime&apos;s names</source>
        <translation>Pässe filtern, auch nach Namen von ONNX Runtime</translation>
    </message>
    <message>
        <source>Filter passes</source>
        <translation>Pässe filtern</translation>
    </message>
    <message>
        <source>Switch every pass back to its default</source>
        <translation>Jeden Pass auf seine Vorgabe zurückstellen</translation>
    </message>
    <message>
        <source>Passes by level</source>
        <translation>Pässe nach Stufe</translation>
    </message>
    <message>
        <source>About the chosen pass</source>
        <translation>Über den gewählten Pass</translation>
    </message>
    <message>
        <source>Choose a pass to read what it does. Space switches it off and on, Enter shows what it changed.</source>
        <translation>Einen Pass wählen, um zu lesen, was er tut. Leertaste schaltet ihn aus und ein, Enter zeigt, was er geändert hat.</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Files of rewriting rules of your own, which run with every level</source>
        <translation>Dateien mit eigenen Umformungsregeln, die mit jeder Stufe laufen</translation>
    </message>
    <message>
        <source>&amp;Add a file …</source>
        <translation>Datei &amp;hinzufügen …</translation>
    </message>
    <message>
        <source>Take %1 away</source>
        <translation>%1 wegnehmen</translation>
    </message>
    <message>
        <source>Rules of your own</source>
        <translation>Eigene Regeln</translation>
    </message>
    <message>
        <source>Rules (*.rules *.txt)</source>
        <translation>Regeln (*.rules *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PassModel</name>
    <message>
        <source>ONNX Runtime has no such pass.</source>
        <translation>ONNX Runtime hat keinen solchen Pass.</translation>
    </message>
    <message>
        <source>ONNX Runtime calls it %1.</source>
        <translation>In ONNX Runtime heißt er %1.</translation>
    </message>
    <message>
        <source>For the providers %1.</source>
        <translation>Für die Provider %1.</translation>
    </message>
    <message>
        <source>Off unless it is switched on.</source>
        <translation>Aus, solange er nicht eingeschaltet wird.</translation>
    </message>
    <message>
        <source>It did not run: %1.</source>
        <translation>Er lief nicht: %1.</translation>
    </message>
    <message>
        <source>It ran and found no place.</source>
        <translation>Er lief und fand keine Stelle.</translation>
    </message>
    <message>
        <source>Rewrites: %1, near misses: %2, change of nodes: %3; %4.</source>
        <translation>Umformungen: %1, beinahe: %2, Änderung der Knoten: %3; %4.</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>%1 — needs a higher level</source>
        <translation>%1 — braucht eine höhere Stufe</translation>
    </message>
    <message>
        <source>%1 of %2 passes of this level are switched on</source>
        <translation>%1 von %2 Pässen dieser Stufe sind eingeschaltet</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Near</source>
        <translation>Beinahe</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Switches and names of all passes</source>
        <translation>Schalter und Namen aller Pässe</translation>
    </message>
    <message>
        <source>How often the pass rewrote the graph</source>
        <translation>Wie oft der Pass den Graphen umformte</translation>
    </message>
    <message>
        <source>How often it almost matched; see Near misses</source>
        <translation>Wie oft er beinahe passte; siehe Beinahe-Treffer</translation>
    </message>
    <message>
        <source>Time spent in the pass</source>
        <translation>In dem Pass verbrachte Zeit</translation>
    </message>
    <message>
        <source>A rule of your own; it runs at every level.</source>
        <translation>Eine eigene Regel; sie läuft auf jeder Stufe.</translation>
    </message>
    <message>
        <source>User rules</source>
        <translation>Eigene Regeln</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PhaseTable</name>
    <message>
        <source>No phases were recorded.</source>
        <translation>Es wurden keine Phasen aufgezeichnet.</translation>
    </message>
    <message>
        <source>session overhead, once</source>
        <translation>Sitzungsaufwand, einmalig</translation>
    </message>
    <message>
        <source>model load</source>
        <translation>Laden des Modells</translation>
    </message>
    <message>
        <source>graph optimization</source>
        <translation>Optimierung des Graphen</translation>
    </message>
    <message>
        <source>session initialization</source>
        <translation>Einrichten der Sitzung</translation>
    </message>
    <message>
        <source>session cleanup</source>
        <translation>Abbau der Sitzung</translation>
    </message>
    <message>
        <source>Phases of the session</source>
        <translation>Phasen der Sitzung</translation>
    </message>
    <message>
        <source>No phase of the session lies in the selected range.</source>
        <translation>Keine Phase der Sitzung liegt im gewählten Bereich.</translation>
    </message>
    <message>
        <source>round weights to int8</source>
        <translation>Gewichte auf int8 runden</translation>
    </message>
    <message>
        <source>round weights to fp16</source>
        <translation>Gewichte auf fp16 runden</translation>
    </message>
    <message>
        <source>round weights to bf16</source>
        <translation>Gewichte auf bf16 runden</translation>
    </message>
    <message>
        <source>expand functions</source>
        <translation>Funktionen auflösen</translation>
    </message>
    <message>
        <source>infer shapes</source>
        <translation>Formen ableiten</translation>
    </message>
    <message>
        <source>start threads</source>
        <translation>Threads starten</translation>
    </message>
    <message>
        <source>place nodes</source>
        <translation>Knoten zuordnen</translation>
    </message>
    <message>
        <source>choose kernels</source>
        <translation>Kernel wählen</translation>
    </message>
    <message>
        <source>pack weights</source>
        <translation>Gewichte packen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PixelFields</name>
    <message>
        <source>0 … 255</source>
        <translation>0 … 255</translation>
    </message>
    <message>
        <source>0 … 1</source>
        <translation>0 … 1</translation>
    </message>
    <message>
        <source>−1 … 1</source>
        <translation>−1 … 1</translation>
    </message>
    <message>
        <source>ImageNet mean and deviation</source>
        <translation>ImageNet-Mittel und -Abweichung</translation>
    </message>
    <message>
        <source>blue first</source>
        <translation>Blau zuerst</translation>
    </message>
    <message>
        <source>as found</source>
        <translation>wie ermittelt</translation>
    </message>
    <message>
        <source>own numbers</source>
        <translation>eigene Zahlen</translation>
    </message>
    <message>
        <source>stretched</source>
        <translation>gestreckt</translation>
    </message>
    <message>
        <source>the middle</source>
        <translation>die Mitte</translation>
    </message>
    <message>
        <source>the middle, 87.5 %</source>
        <translation>die Mitte, 87,5 %</translation>
    </message>
    <message>
        <source>as they fit</source>
        <translation>wie sie passen</translation>
    </message>
    <message>
        <source>channels first</source>
        <translation>Kanäle vorn</translation>
    </message>
    <message>
        <source>channels last</source>
        <translation>Kanäle hinten</translation>
    </message>
    <message>
        <source>The model wants the channels in the order blue, green, red</source>
        <translation>Das Modell will die Kanäle in der Reihenfolge Blau, Grün, Rot</translation>
    </message>
    <message>
        <source>&amp;Pixels</source>
        <translation>&amp;Pixel</translation>
    </message>
    <message>
        <source>What the values of pixels become, as the model was trained. Found by right answers where there are labels, or by the first layers, unless you choose it</source>
        <translation>Was aus den Werten der Pixel wird, so wie das Modell gelernt hat. Wird durch richtige Antworten ermittelt, wo es Labels gibt, oder durch die ersten Schichten, wenn Sie es nicht wählen</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Subtracted from the channels 0 … 255: one number, or three with commas between</source>
        <translation>Wird von den Kanälen 0 … 255 abgezogen: eine Zahl oder drei, mit Kommas getrennt</translation>
    </message>
    <message>
        <source>deviation</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Divides what is left: one number, or three with commas between</source>
        <translation>Teilt, was übrig bleibt: eine Zahl oder drei, mit Kommas getrennt</translation>
    </message>
    <message>
        <source>Crop</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>Pictures are stretched to the input, or their middle is taken in its proportions; of arrays larger than the input the middle is taken</source>
        <translation>Bilder werden auf die Eingabe gestreckt, oder ihre Mitte wird in deren Verhältnissen genommen; von Arrays, die größer als die Eingabe sind, wird die Mitte genommen</translation>
    </message>
    <message>
        <source>Arrays lie</source>
        <translation>Arrays liegen</translation>
    </message>
    <message>
        <source>Order of dimensions in the file: channels before or behind height and width</source>
        <translation>Reihenfolge der Dimensionen in der Datei: Kanäle vor oder hinter Höhe und Breite</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PluginsDialog</name>
    <message>
        <source>&amp;Switch on</source>
        <translation>&amp;Einschalten</translation>
    </message>
    <message>
        <source>&amp;Switch off</source>
        <translation>&amp;Ausschalten</translation>
    </message>
    <message>
        <source>A plugin is a shared library that brings operators, devices or engines. It is found in:</source>
        <translation>Ein Plugin ist eine Bibliothek, die Operatoren, Geräte oder Engines mitbringt. Es wird gefunden in:</translation>
    </message>
    <message>
        <source>lib/lapidary/plugins of the installation</source>
        <translation>lib/lapidary/plugins der Installation</translation>
    </message>
    <message>
        <source>~/.local/share/lapidary/plugins, for this user</source>
        <translation>~/.local/share/lapidary/plugins, für diesen Benutzer</translation>
    </message>
    <message>
        <source>files and folders that the variable LAPIDARY_PLUGINS names</source>
        <translation>Dateien und Ordnern, die die Variable LAPIDARY_PLUGINS nennt</translation>
    </message>
    <message>
        <source>ONNX Runtime becomes a second engine where it is found:</source>
        <translation>ONNX Runtime wird zur zweiten Engine, wo es gefunden wird:</translation>
    </message>
    <message>
        <source>installed for Python: pip install onnxruntime</source>
        <translation>für Python installiert: pip install onnxruntime</translation>
    </message>
    <message>
        <source>at the place that the variable LAPIDARY_ONNXRUNTIME names</source>
        <translation>an dem Ort, den die Variable LAPIDARY_ONNXRUNTIME nennt</translation>
    </message>
    <message>
        <source>Look again afterwards. F1 says more.</source>
        <translation>Danach erneut suchen. F1 sagt mehr.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Nothing odd was found in this model.</source>
        <translation>An diesem Modell fiel nichts auf.</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>Kein Modell ist offen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ProgramPanel</name>
    <message>
        <source>Version of ONNX Runtime</source>
        <translation>Version von ONNX Runtime</translation>
    </message>
    <message>
        <source>Names and values fit this version of ONNX Runtime</source>
        <translation>Namen und Werte passen zu dieser Version von ONNX Runtime</translation>
    </message>
    <message>
        <source>ONNX Runtime %1</source>
        <translation>ONNX Runtime %1</translation>
    </message>
    <message>
        <source>Does the same with ONNX Runtime&apos;s own tools. Its first lines say what they do differently.</source>
        <translation>Tut mit den eigenen Werkzeugen von ONNX Runtime dasselbe. Die ersten Zeilen sagen, was diese anders machen.</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>Zuerst ein Modell öffnen.</translation>
    </message>
    <message>
        <source>The program comes when quantizing is done.</source>
        <translation>Das Programm kommt, wenn das Quantisieren fertig ist.</translation>
    </message>
    <message>
        <source>Program for ONNX Runtime</source>
        <translation>Programm für ONNX Runtime</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PromptBar</name>
    <message>
        <source>&amp;Prompt</source>
        <translation>&amp;Prompt</translation>
    </message>
    <message>
        <source>Ne&amp;w tokens</source>
        <translation>Ne&amp;ue Tokens</translation>
    </message>
    <message>
        <source>Tokens that are generated at most</source>
        <translation>So viele Tokens werden höchstens erzeugt</translation>
    </message>
    <message>
        <source>The variant in force</source>
        <translation>Die geltende Variante</translation>
    </message>
    <message>
        <source>A and B in turn</source>
        <translation>A und B im Wechsel</translation>
    </message>
    <message>
        <source>W&amp;ith</source>
        <translation>M&amp;it</translation>
    </message>
    <message>
        <source>A and B are the variants of the Compare page. A chooses the tokens; B is given the same ones, and its logits are compared.</source>
        <translation>A und B sind die Varianten der Seite Vergleich. A wählt die Tokens; B bekommt dieselben, und seine Logits werden verglichen.</translation>
    </message>
    <message>
        <source>More …</source>
        <translation>Mehr …</translation>
    </message>
    <message>
        <source>Caches and how tokens are chosen</source>
        <translation>Caches und wie Tokens gewählt werden</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>of fixed size</source>
        <translation>fester Größe</translation>
    </message>
    <message>
        <source>growing</source>
        <translation>wachsend</translation>
    </message>
    <message>
        <source>&amp;Caches</source>
        <translation>&amp;Caches</translation>
    </message>
    <message>
        <source>Of fixed size: written where they lie. Growing: every run gives longer ones. Automatic: of fixed size where the model can.</source>
        <translation>Fester Größe: beschrieben, wo sie liegen. Wachsend: jeder Lauf gibt längere. Automatisch: fester Größe, wo das Modell es kann.</translation>
    </message>
    <message>
        <source>Capaci&amp;ty</source>
        <translation>Kapazi&amp;tät</translation>
    </message>
    <message>
        <source>Tokens that caches of fixed size have room for; as needed: as many as the prompt and the new ones are</source>
        <translation>Für so viele Tokens haben Caches fester Größe Platz; nach Bedarf: so viele, wie Prompt und neue sind</translation>
    </message>
    <message>
        <source>as needed</source>
        <translation>nach Bedarf</translation>
    </message>
    <message>
        <source>most probable</source>
        <translation>wahrscheinlichster</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Logits are divided by it before a token is drawn; most probable: none is drawn</source>
        <translation>Durch sie werden Logits geteilt, bevor ein Token gezogen wird; wahrscheinlichster: es wird nicht gezogen</translation>
    </message>
    <message>
        <source>Top-&amp;k</source>
        <translation>Top-&amp;k</translation>
    </message>
    <message>
        <source>Draw from so many of the most probable tokens</source>
        <translation>Aus so vielen der wahrscheinlichsten Tokens ziehen</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>T&amp;op-p</source>
        <translation>T&amp;op-p</translation>
    </message>
    <message>
        <source>Draw from the most probable tokens that together have this probability</source>
        <translation>Aus den wahrscheinlichsten Tokens ziehen, die zusammen diese Wahrscheinlichkeit haben</translation>
    </message>
    <message>
        <source>See&amp;d</source>
        <translation>Start&amp;wert</translation>
    </message>
    <message>
        <source>The same seed draws the same tokens</source>
        <translation>Derselbe Startwert zieht dieselben Tokens</translation>
    </message>
    <message>
        <source>Stop toke&amp;ns</source>
        <translation>Stopptoke&amp;ns</translation>
    </message>
    <message>
        <source>The prompt needs at least one token: numbers, with commas between them.</source>
        <translation>Der Prompt braucht mindestens einen Token: Zahlen mit Kommas dazwischen.</translation>
    </message>
    <message>
        <source>Stop tokens are numbers, with commas between them.</source>
        <translation>Stopptokens sind Zahlen mit Kommas dazwischen.</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>&amp;Generate</source>
        <translation>&amp;Erzeugen</translation>
    </message>
    <message>
        <source>Stop; the tokens so far are kept (Ctrl+Return)</source>
        <translation>Anhalten; die bisherigen Tokens bleiben (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Generate tokens and time them (Ctrl+Return)</source>
        <translation>Tokens erzeugen und ihre Zeit messen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>What the answer follows: tokens as numbers with commas between them, or a text where a tokenizer.json lies beside the model</source>
        <translation>Dem die Antwort folgt: Tokens als Zahlen mit Kommas dazwischen, oder ein Text, wo eine tokenizer.json neben dem Modell liegt</translation>
    </message>
    <message>
        <source>as text</source>
        <translation>als Text</translation>
    </message>
    <message>
        <source>as tokens</source>
        <translation>als Tokens</translation>
    </message>
    <message>
        <source>Kind of prompt</source>
        <translation>Art des Prompts</translation>
    </message>
    <message>
        <source>Whether the prompt is a text, which the model&apos;s tokenizer makes tokens of, or the tokens themselves</source>
        <translation>Ob der Prompt ein Text ist, aus dem der Tokenizer des Modells Tokens macht, oder die Tokens selbst</translation>
    </message>
    <message>
        <source>The prompt needs a text.</source>
        <translation>Der Prompt braucht einen Text.</translation>
    </message>
    <message>
        <source>the model&apos;s own</source>
        <translation>die des Modells</translation>
    </message>
    <message>
        <source>Tokens that end the answer, as numbers. The model&apos;s own are those that files beside it or its tokenizer name.</source>
        <translation>Tokens, die die Antwort beenden, als Zahlen. Die des Modells sind jene, die Dateien neben ihm oder seinem Tokenizer nennen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::QuantizeCard</name>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Export …</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Show graph</source>
        <translation>Graph zeigen</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>What the result rests on</source>
        <translation>Worauf das Ergebnis beruht</translation>
    </message>
    <message>
        <source>Progress of quantizing</source>
        <translation>Fortschritt des Quantisierens</translation>
    </message>
    <message>
        <source>Try recipes on the samples and keep the best (Ctrl+Return)</source>
        <translation>Rezepte an den Beispielen probieren und das beste behalten (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Stop trying; the best so far is kept</source>
        <translation>Nicht weiter probieren; das bisher Beste bleibt</translation>
    </message>
    <message>
        <source>Put the float model in slot A, the quantized one in slot B, and open Compare</source>
        <translation>Das Gleitkommamodell in Platz A, das quantisierte in Platz B stellen und Vergleichen öffnen</translation>
    </message>
    <message>
        <source>Write the quantized model to a file</source>
        <translation>Das quantisierte Modell in eine Datei schreiben</translation>
    </message>
    <message>
        <source>Show the quantized model in all views, its graph first</source>
        <translation>Das quantisierte Modell in allen Ansichten zeigen, zuerst seinen Graphen</translation>
    </message>
    <message>
        <source>Trying the first recipe …</source>
        <translation>Das erste Rezept wird probiert …</translation>
    </message>
    <message>
        <source>How small and fast can it be? Press Quantize to find out.</source>
        <translation>Wie klein und schnell kann es sein? „Quantisieren“ drücken, um es zu erfahren.</translation>
    </message>
    <message>
        <source>The time was over before all recipes were tried.</source>
        <translation>Die Zeit war um, bevor alle Rezepte probiert waren.</translation>
    </message>
    <message>
        <source>No recipe reached the floor: this is the most accurate.</source>
        <translation>Kein Rezept erreichte die Untergrenze: dies ist das genaueste.</translation>
    </message>
    <message>
        <source>&amp;Quantize again</source>
        <translation>Erneut &amp;quantisieren</translation>
    </message>
    <message>
        <source>&amp;Quantize</source>
        <translation>&amp;Quantisieren</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>recipes tried: %1, %2 s</source>
        <translation>probierte Rezepte: %1, %2 s</translation>
    </message>
    <message>
        <source>Recipes are tried on the samples; the best is kept as a variant beside the original.</source>
        <translation>Rezepte werden an den Beispielen probiert; das beste bleibt als Variante neben dem Original.</translation>
    </message>
    <message>
        <source>Every node says why it was quantized or not.</source>
        <translation>Jeder Knoten sagt, warum er quantisiert wurde oder nicht.</translation>
    </message>
    <message>
        <source>Report …</source>
        <translation>Bericht …</translation>
    </message>
    <message>
        <source>Write an HTML page with sentence, recipes, layers, ranges and nodes</source>
        <translation>Eine HTML-Seite mit Satz, Rezepten, Schichten, Bereichen und Knoten schreiben</translation>
    </message>
    <message>
        <source>Float and quantized were timed in turn at %1, on the first sample.</source>
        <translation>Float und quantisiert wurden abwechselnd auf %1 gemessen, mit dem ersten Beispiel.</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>Warnung: %1</translation>
    </message>
    <message>
        <source>Looking at the samples …</source>
        <translation>Die Beispiele werden angesehen …</translation>
    </message>
</context>
<context>
    <name>lapidary::views::QuantizePage</name>
    <message>
        <source>Use this recipe</source>
        <translation>Dieses Rezept nehmen</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell ist geöffnet</translation>
    </message>
    <message>
        <source>Open a model or take a sample from the start page. Here it becomes smaller and faster with 8-bit integers, and you see what that costs.</source>
        <translation>Öffnen Sie ein Modell oder nehmen Sie ein Beispiel von der Startseite. Hier wird es mit 8-Bit-Ganzzahlen kleiner und schneller, und Sie sehen, was das kostet.</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>The model could not be quantized</source>
        <translation>Das Modell ließ sich nicht quantisieren</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>Quantisieren</translation>
    </message>
    <message>
        <source>Quantize the model</source>
        <translation>Das Modell quantisieren</translation>
    </message>
    <message>
        <source>Try recipes on the samples and keep the best</source>
        <translation>Rezepte an den Beispielen probieren und das beste behalten</translation>
    </message>
    <message>
        <source>Stop quantizing</source>
        <translation>Quantisieren anhalten</translation>
    </message>
    <message>
        <source>Stop trying; the best so far is kept</source>
        <translation>Nicht weiter probieren; das bisher Beste bleibt</translation>
    </message>
    <message>
        <source>Choose samples …</source>
        <translation>Beispiele wählen …</translation>
    </message>
    <message>
        <source>Choose the folder of samples that ranges come from</source>
        <translation>Den Ordner der Beispiele wählen, aus denen Bereiche kommen</translation>
    </message>
    <message>
        <source>Compare quantized with float</source>
        <translation>Quantisiert mit Gleitkomma vergleichen</translation>
    </message>
    <message>
        <source>Put the float model in slot A, the quantized one in slot B, and open Compare</source>
        <translation>Das Gleitkommamodell in Platz A, das quantisierte in Platz B stellen und Vergleichen öffnen</translation>
    </message>
    <message>
        <source>Export the quantized model …</source>
        <translation>Das quantisierte Modell exportieren …</translation>
    </message>
    <message>
        <source>Write the quantized model to a file</source>
        <translation>Das quantisierte Modell in eine Datei schreiben</translation>
    </message>
    <message>
        <source>Copy the quantize command</source>
        <translation>Den Befehl zum Quantisieren kopieren</translation>
    </message>
    <message>
        <source>Copy the lapidary-cli command that does this search</source>
        <translation>Den lapidary-cli-Befehl kopieren, der diese Suche macht</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Make the chosen recipe the result</source>
        <translation>Das gewählte Rezept zum Ergebnis machen</translation>
    </message>
    <message>
        <source>Best first. SQNR: 20 dB is visible, 30 good, 40 very good.</source>
        <translation>Das beste zuerst. SQNR: 20 dB sieht man, 30 ist gut, 40 sehr gut.</translation>
    </message>
    <message>
        <source>Details of the quantization</source>
        <translation>Einzelheiten der Quantisierung</translation>
    </message>
    <message>
        <source>&amp;Recipes</source>
        <translation>&amp;Rezepte</translation>
    </message>
    <message>
        <source>&amp;Nodes</source>
        <translation>&amp;Knoten</translation>
    </message>
    <message>
        <source>&amp;Outputs</source>
        <translation>&amp;Ausgaben</translation>
    </message>
    <message>
        <source>compare quantized with float</source>
        <translation>quantisiert mit Gleitkomma vergleichen</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>The shown model has no node %1.</source>
        <translation>Das gezeigte Modell hat keinen Knoten %1.</translation>
    </message>
    <message>
        <source>Tra&amp;de-offs</source>
        <translation>A&amp;bwägung</translation>
    </message>
    <message>
        <source>Save a report on the quantization …</source>
        <translation>Bericht über die Quantisierung speichern …</translation>
    </message>
    <message>
        <source>Write an HTML page with sentence, recipes, layers, ranges and nodes</source>
        <translation>Eine HTML-Seite mit Satz, Rezepten, Schichten, Bereichen und Knoten schreiben</translation>
    </message>
    <message>
        <source>La&amp;yers</source>
        <translation>S&amp;chichten</translation>
    </message>
    <message>
        <source>Rang&amp;es</source>
        <translation>Bereic&amp;he</translation>
    </message>
    <message>
        <source>Save a report on the quantization</source>
        <translation>Bericht über die Quantisierung speichern</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML-Seite (*.html)</translation>
    </message>
    <message>
        <source>The report could not be written</source>
        <translation>Der Bericht konnte nicht geschrieben werden</translation>
    </message>
    <message>
        <source>&amp;Program</source>
        <translation>&amp;Programm</translation>
    </message>
    <message>
        <source>Show the program for ONNX Runtime</source>
        <translation>Das Programm für ONNX Runtime zeigen</translation>
    </message>
    <message>
        <source>A Python program that does the same with ONNX Runtime&apos;s own tools, to copy or save</source>
        <translation>Ein Python-Programm, das mit den eigenen Werkzeugen von ONNX Runtime dasselbe tut, zum Kopieren oder Speichern</translation>
    </message>
</context>
<context>
    <name>lapidary::views::QueueList</name>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>Queue of settings</source>
        <translation>Schlange der Einstellungen</translation>
    </message>
    <message>
        <source>Earlier (Alt+Up)</source>
        <translation>Früher (Alt+Auf)</translation>
    </message>
    <message>
        <source>Later (Alt+Down)</source>
        <translation>Später (Alt+Ab)</translation>
    </message>
    <message>
        <source>Take off the queue (Delete)</source>
        <translation>Aus der Schlange nehmen (Entf)</translation>
    </message>
    <message>
        <source>now: %1</source>
        <translation>jetzt: %1</translation>
    </message>
    <message>
        <source>The queue is empty. Click cells of the heat map to measure only those; Start measures all.</source>
        <translation>Die Schlange ist leer. Zellen der Heatmap anklicken, um nur diese zu messen; Start misst alle.</translation>
    </message>
    <message>
        <source>Done in %1. What is alike but for threads and spinning is measured in turn.</source>
        <translation>Fertig in %1. Was bis auf Threads und aktives Warten gleich ist, wird abwechselnd gemessen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::QuietDocks</name>
    <message>
        <source>Problems (%1)</source>
        <translation>Probleme (%1)</translation>
    </message>
    <message>
        <source>What is odd about this model; press to open or close the list</source>
        <translation>Was an diesem Modell auffällt; ein Druck öffnet oder schließt die Liste</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RailButton</name>
    <message>
        <source>Page %1</source>
        <translation>Seite %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RangeHistogram</name>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>%1: seen %2, quantized %3, %4 beyond</source>
        <translation>%1: gesehen %2, quantisiert %3, %4 jenseits</translation>
    </message>
    <message>
        <source>Choose a value to see how often each size of it was seen.</source>
        <translation>Wählen Sie einen Wert, um zu sehen, wie oft jede Größe vorkam.</translation>
    </message>
    <message>
        <source>Ranges by extremes count no values.</source>
        <translation>Bereiche nach Extremwerten zählen keine Werte.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RangePanel</name>
    <message>
        <source>Elements that become the smallest or largest integer</source>
        <translation>Elemente, die zur kleinsten oder größten Ganzzahl werden</translation>
    </message>
    <message>
        <source>Ranges of activations</source>
        <translation>Bereiche der Aktivierungen</translation>
    </message>
    <message>
        <source>After quantizing with fixed ranges (int8 static), every quantized value stands here. The other ways take ranges in each run, or none.</source>
        <translation>Nach dem Quantisieren mit festen Bereichen (int8 statisch) steht hier jeder quantisierte Wert. Die anderen Arten nehmen Bereiche in jedem Lauf oder gar keine.</translation>
    </message>
    <message>
        <source>Bars: how often values were seen, heights by the logarithm. Between the dashed lines integers stand for them; what is beyond becomes the smallest or largest integer.</source>
        <translation>Balken: wie oft Werte vorkamen, Höhen logarithmisch. Zwischen den gestrichelten Linien stehen Ganzzahlen für sie; was jenseits liegt, wird zur kleinsten oder größten Ganzzahl.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RateCurve</name>
    <message>
        <source>Tokens per second by context</source>
        <translation>Token je Sekunde nach Kontext</translation>
    </message>
    <message>
        <source>%1: %2 tokens per second at %3 tokens of context</source>
        <translation>%1: %2 Token je Sekunde bei %3 Token Kontext</translation>
    </message>
    <message>
        <source>%1, %2 of what memory allows (%3)</source>
        <translation>%1, %2 dessen, was der Speicher zulässt (%3)</translation>
    </message>
    <message>
        <source>Tokens per second over the context appear here, with the roof that memory sets. Press Measure.</source>
        <translation>Hier erscheinen Token je Sekunde über den Kontext, mit dem Dach, das der Speicher setzt. „Messen“ drücken.</translation>
    </message>
    <message>
        <source>tokens of context</source>
        <translation>Token Kontext</translation>
    </message>
    <message>
        <source>roof of memory</source>
        <translation>Dach des Speichers</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>Messung läuft …</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>%1, roof %2</source>
        <translation>%1, Dach %2</translation>
    </message>
    <message>
        <source>%1, roof %2 to %3</source>
        <translation>%1, Dach %2 bis %3</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RecentLooks</name>
    <message>
        <source>Draw a small picture of %1</source>
        <translation>Ein kleines Bild von %1 zeichnen</translation>
    </message>
    <message>
        <source>%1: %2, most of it %3 (%4)</source>
        <translation>%1: %2, das meiste davon %3 (%4)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RecipeEditor</name>
    <message>
        <source>switch %1 on</source>
        <translation>%1 einschalten</translation>
    </message>
    <message>
        <source>switch %1 off</source>
        <translation>%1 ausschalten</translation>
    </message>
    <message>
        <source>passes as they are by default</source>
        <translation>Pässe nach Vorgabe</translation>
    </message>
    <message>
        <source>add the rules of %1</source>
        <translation>Regeln aus %1 hinzufügen</translation>
    </message>
    <message>
        <source>take the rules of %1 away</source>
        <translation>Regeln aus %1 wegnehmen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RecipeTable</name>
    <message>
        <source>best</source>
        <translation>am besten</translation>
    </message>
    <message>
        <source>slower than float</source>
        <translation>langsamer als Gleitkomma</translation>
    </message>
    <message>
        <source>Constants as saved, %1 of %2; a variant&apos;s level may fold some of them</source>
        <translation>Konstanten wie gespeichert, %1 von %2; die Stufe einer Variante faltet vielleicht einige</translation>
    </message>
    <message>
        <source>Median with its 95 % interval, measured in turn with the float model</source>
        <translation>Median mit 95-%-Intervall, abwechselnd mit dem Gleitkommamodell gemessen</translation>
    </message>
    <message>
        <source>Nodes that were quantized</source>
        <translation>Quantisierte Knoten</translation>
    </message>
    <message>
        <source>Recipes</source>
        <translation>Rezepte</translation>
    </message>
    <message>
        <source>Recipes appear here one by one, with what each costs and gains.</source>
        <translation>Hier erscheinen Rezepte nacheinander, mit dem, was jedes kostet und bringt.</translation>
    </message>
    <message>
        <source>Signal to noise of the outputs, mean over %1 splits of the samples</source>
        <translation>Signal-Rausch-Abstand der Ausgaben, Mittel über %1 Aufteilungen der Beispiele</translation>
    </message>
    <message>
        <source>Signal to noise of the outputs</source>
        <translation>Signal-Rausch-Abstand der Ausgaben</translation>
    </message>
    <message>
        <source>Answers that changed: positions of the largest element along the classes</source>
        <translation>Geänderte Antworten: Stellen des größten Elements entlang der Klassen</translation>
    </message>
    <message>
        <source>the least poor</source>
        <translation>das am wenigsten schlechte</translation>
    </message>
    <message>
        <source>poor</source>
        <translation>schlecht</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RecommendationCard</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Verify best 3</source>
        <translation>Beste 3 nachprüfen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Recommendation</source>
        <translation>Empfehlung</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <source>Progress of measuring</source>
        <translation>Fortschritt der Messung</translation>
    </message>
    <message>
        <source>Stop measuring; what was measured is kept</source>
        <translation>Messung anhalten; was gemessen ist, bleibt</translation>
    </message>
    <message>
        <source>Measure the three best settings in turn, longer, until they can be told apart</source>
        <translation>Die drei besten Einstellungen abwechselnd und länger messen, bis sie sich unterscheiden lassen</translation>
    </message>
    <message>
        <source>Run, export and write code with these settings from now on (Undo brings the old ones back)</source>
        <translation>Von jetzt an mit diesen Einstellungen ausführen, exportieren und Code schreiben (Rückgängig bringt die alten zurück)</translation>
    </message>
    <message>
        <source>Applied.</source>
        <translation>Übernommen.</translation>
    </message>
    <message>
        <source>None of the measured settings fits the latency cap.</source>
        <translation>Keine der gemessenen Einstellungen hält die Latenzgrenze ein.</translation>
    </message>
    <message>
        <source>That takes %1. Click cells to measure only those; figures appear as they come in.</source>
        <translation>Das dauert %1. Zellen anklicken, um nur diese zu messen; Werte erscheinen, sobald sie da sind.</translation>
    </message>
    <message>
        <source>Measure 1 queued setting</source>
        <translation>1 vorgemerkte Einstellung messen</translation>
    </message>
    <message>
        <source>Measure %1 queued settings</source>
        <translation>%1 vorgemerkte Einstellungen messen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Measure the other %1</source>
        <translation>Die anderen %1 messen</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Erneut messen</translation>
    </message>
    <message>
        <source>Takes %1 (Ctrl+Return)</source>
        <translation>Dauert %1 (Strg+Enter)</translation>
    </message>
    <message>
        <source>Measure what is not measured yet, in random order and in turn (Ctrl+Return)</source>
        <translation>Messen, was noch nicht gemessen ist, in zufälliger Folge und abwechselnd (Strg+Enter)</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Go on measuring</source>
        <translation>Weiter messen</translation>
    </message>
    <message>
        <source>Leave the machine alone for a while; what is measured stays</source>
        <translation>Die Maschine eine Weile in Ruhe lassen; was gemessen ist, bleibt</translation>
    </message>
    <message>
        <source>paused, %1 left</source>
        <translation>angehalten, noch %1</translation>
    </message>
    <message>
        <source>verifying, %1 left</source>
        <translation>wird nachgeprüft, noch %1</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>Measuring the first settings of %1 …</source>
        <translation>Die ersten Einstellungen von %1 werden gemessen …</translation>
    </message>
    <message>
        <source>How many threads for %1? Press Start to find out.</source>
        <translation>Wie viele Threads für %1? Mit Start finden Sie es heraus.</translation>
    </message>
    <message>
        <source>Measured: %1, with %2.</source>
        <translation>Gemessen: %1, mit: %2.</translation>
    </message>
    <message>
        <source>It will run with %1.</source>
        <translation>Es wird ausgeführt mit: %1.</translation>
    </message>
    <message>
        <source>Measuring your ONNX Runtime beside it …</source>
        <translation>Ihre ONNX Runtime wird daneben gemessen …</translation>
    </message>
    <message>
        <source>ONNX Runtime beside it: %1.</source>
        <translation>ONNX Runtime daneben: %1.</translation>
    </message>
    <message>
        <source>Your ONNX Runtime with the same settings: %1.</source>
        <translation>Ihre ONNX Runtime mit denselben Einstellungen: %1.</translation>
    </message>
    <message>
        <source>Your ONNX Runtime with the same settings, in turn: %1, %2 times as long (%3 to %4).</source>
        <translation>Ihre ONNX Runtime mit denselben Einstellungen, abwechselnd gemessen: %1, das %2-Fache der Zeit (%3 bis %4).</translation>
    </message>
    <message>
        <source>Your ONNX Runtime with the same settings, in turn: %1, no difference beyond noise.</source>
        <translation>Ihre ONNX Runtime mit denselben Einstellungen, abwechselnd gemessen: %1, kein Unterschied jenseits des Rauschens.</translation>
    </message>
    <message>
        <source>Your ONNX Runtime was measured in turn with it, but too much else ran to compare them.</source>
        <translation>Ihre ONNX Runtime wurde abwechselnd damit gemessen, aber es lief zu viel anderes, um beide zu vergleichen.</translation>
    </message>
    <message>
        <source>measuring once more what cannot be told apart, %1 left</source>
        <translation>misst noch einmal, was nicht zu unterscheiden ist, noch %1</translation>
    </message>
    <message>
        <source>Machine: %1.</source>
        <translation>Rechner: %1.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ReloadOffer</name>
    <message>
        <source>%1 changed on disk</source>
        <translation>%1 hat sich auf der Platte geändert</translation>
    </message>
    <message>
        <source>What is open is as it was before. Reading it again keeps variants, notes and the selection; figures measured before are dropped, as they are of the earlier file.</source>
        <translation>Offen ist der frühere Stand. Neu einlesen behält Varianten, Notizen und die Auswahl; früher gemessene Werte entfallen, weil sie zur früheren Datei gehören.</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Neu einlesen</translation>
    </message>
    <message>
        <source>%1 was read again</source>
        <translation>%1 wurde neu eingelesen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RenameEachFields</name>
    <message>
        <source>* stands for the name that a node has now. Without it the nodes are numbered.</source>
        <translation>* steht für den Namen, den ein Knoten jetzt hat. Ohne ihn werden die Knoten nummeriert.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RenameFields</name>
    <message>
        <source>Names that change</source>
        <translation>Namen, die sich ändern</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>Neuer Name</translation>
    </message>
    <message>
        <source>No name fits.</source>
        <translation>Kein Name passt.</translation>
    </message>
    <message>
        <source>Names that change: %1</source>
        <translation>Namen, die sich ändern: %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RewriteCardModel</name>
    <message>
        <source>before: %1</source>
        <translation>vorher: %1</translation>
    </message>
    <message>
        <source>after: %1</source>
        <translation>nachher: %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RewriteReview</name>
    <message>
        <source>Rewrites with pictures</source>
        <translation>Umformungen mit Bildern</translation>
    </message>
    <message>
        <source>Picture of step %1</source>
        <translation>Bild von Schritt %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RooflinePlot</name>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Left and right walk from node to node, slowest first; Return shows the node in the graph. The node table lists the same figures.</source>
        <translation>Links und rechts gehen von Knoten zu Knoten, der langsamste zuerst; Enter zeigt den Knoten im Graphen. Die Knotentabelle führt dieselben Werte auf.</translation>
    </message>
    <message>
        <source>A trace does not say what the machine that it was recorded on can do: run the model here to see it under this machine&apos;s roofs.</source>
        <translation>Ein Trace verrät nicht, was die Maschine kann, auf der er aufgenommen wurde: das Modell hier ausführen, um es unter den Grenzen dieser Maschine zu sehen.</translation>
    </message>
    <message>
        <source>The work of no node is known.</source>
        <translation>Von keinem Knoten ist die Arbeit bekannt.</translation>
    </message>
    <message>
        <source>its data came out of the caches</source>
        <translation>seine Daten kamen aus den Caches</translation>
    </message>
    <message>
        <source>bound by memory</source>
        <translation>durch Speicher begrenzt</translation>
    </message>
    <message>
        <source>bound by arithmetic</source>
        <translation>durch Arithmetik begrenzt</translation>
    </message>
    <message>
        <source>%1 · %2: %3 GFLOP/s at %4 operations per byte, %5 of this machine&apos;s peak, %6; %7 per run</source>
        <translation>%1 · %2: %3 GFLOP/s bei %4 Operationen je Byte, %5 der Spitze dieser Maschine, %6; %7 je Lauf</translation>
    </message>
    <message>
        <source>operations per byte moved</source>
        <translation>Operationen je bewegtem Byte</translation>
    </message>
    <message>
        <source>GFLOP/s, GOP/s</source>
        <translation>GFLOP/s, GOP/s</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>memory %1 GB/s</source>
        <translation>Speicher %1 GB/s</translation>
    </message>
    <message>
        <source>int8 %1 GOP/s</source>
        <translation>int8 %1 GOP/s</translation>
    </message>
    <message>
        <source>float %1 GFLOP/s</source>
        <translation>float %1 GFLOP/s</translation>
    </message>
    <message>
        <source>The nodes here only move data.</source>
        <translation>Die Knoten hier bewegen nur Daten.</translation>
    </message>
    <message>
        <source>Nodes not drawn, as they only move data: %1 (%2 of the time).</source>
        <translation>Nicht gezeichnete Knoten, da sie nur Daten bewegen: %1 (%2 der Zeit).</translation>
    </message>
    <message>
        <source>Nodes on %1 are not drawn: its roofs are not known (%2).</source>
        <translation>Knoten auf %1 sind nicht gezeichnet: Seine Dächer sind nicht bekannt (%2).</translation>
    </message>
    <message>
        <source>memory of the processor: %1 GB/s</source>
        <translation>Speicher des Prozessors: %1 GB/s</translation>
    </message>
    <message>
        <source>float on the processor: %1 GFLOP/s</source>
        <translation>float auf dem Prozessor: %1 GFLOP/s</translation>
    </message>
    <message>
        <source>int8 on the processor: %1 GOP/s</source>
        <translation>int8 auf dem Prozessor: %1 GOP/s</translation>
    </message>
    <message>
        <source>memory of %1: %2 GB/s</source>
        <translation>Speicher von %1: %2 GB/s</translation>
    </message>
    <message>
        <source>%1 on %2: %3 GOP/s</source>
        <translation>%1 auf %2: %3 GOP/s</translation>
    </message>
    <message>
        <source>%1 · %2: %3 GOP/s at %4 operations per byte, %5 of the peak of %6 (%7), %8; %9 per run</source>
        <translation>%1 · %2: %3 GOP/s bei %4 Operationen je Byte, %5 der Spitze von %6 (%7), %8; %9 je Lauf</translation>
    </message>
    <message>
        <source>It ran on %1, and what that machine can do at most was not measured: run the model on this computer to see it under roofs.</source>
        <translation>Es lief auf %1, und was dieser Rechner höchstens kann, wurde nicht gemessen: Lassen Sie das Modell auf diesem Rechner laufen, um es unter Dächern zu sehen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RowHelpLabel</name>
    <message>
        <source>What would help</source>
        <translation>Was helfen würde</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunPage</name>
    <message>
        <source>Running …</source>
        <translation>Läuft …</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Zoom timeline in</source>
        <translation>Zeitleiste vergrößern</translation>
    </message>
    <message>
        <source>Zoom timeline out</source>
        <translation>Zeitleiste verkleinern</translation>
    </message>
    <message>
        <source>Show the whole recording</source>
        <translation>Die ganze Aufzeichnung zeigen</translation>
    </message>
    <message>
        <source>Show one typical run</source>
        <translation>Einen typischen Lauf zeigen</translation>
    </message>
    <message>
        <source>&amp;Nodes</source>
        <translation>&amp;Knoten</translation>
    </message>
    <message>
        <source>&amp;Outputs</source>
        <translation>&amp;Ausgaben</translation>
    </message>
    <message>
        <source>&amp;Phases</source>
        <translation>&amp;Phasen</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>&amp;Speicher</translation>
    </message>
    <message>
        <source>Running again …</source>
        <translation>Läuft erneut …</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell ist offen</translation>
    </message>
    <message>
        <source>Open an ONNX model, take a sample from the start page, or open a Chrome trace saved earlier.</source>
        <translation>Ein ONNX-Modell öffnen, ein Beispiel von der Startseite nehmen oder einen früher gespeicherten Chrome-Trace öffnen.</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Press F5 to run this model</source>
        <translation>F5 drücken, um dieses Modell auszuführen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>Der Lauf schlug fehl</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Prepare the results</source>
        <translation>Ergebnisse aufbereiten</translation>
    </message>
    <message>
        <source>The variant that is shown does not have this node.</source>
        <translation>Die gezeigte Variante hat diesen Knoten nicht.</translation>
    </message>
    <message>
        <source>This node is not part of the open model.</source>
        <translation>Dieser Knoten gehört nicht zum geöffneten Modell.</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>&amp;Scopes</source>
        <translation>&amp;Namensräume</translation>
    </message>
    <message>
        <source>&amp;Roofline</source>
        <translation>&amp;Roofline</translation>
    </message>
    <message>
        <source>&amp;Unmatched</source>
        <translation>Ohne &amp;Gegenstück</translation>
    </message>
    <message>
        <source>&amp;Unmatched (%1)</source>
        <translation>Ohne &amp;Gegenstück (%1)</translation>
    </message>
    <message>
        <source>Summing up %1 …</source>
        <translation>%1 wird summiert …</translation>
    </message>
    <message>
        <source>Sum up a range</source>
        <translation>Einen Bereich summieren</translation>
    </message>
    <message>
        <source>wheel: zoom · drag: pan · drag along the ruler or Shift-drag: select a range · double click: show in graph</source>
        <translation>Rad: Zoom · Ziehen: verschieben · Ziehen am Lineal oder Umschalt-Ziehen: Bereich wählen · Doppelklick: im Graphen zeigen</translation>
    </message>
    <message>
        <source>%1. Warm-ups: %2, profiled runs: %3. You will see where the time goes by operator, by node and by thread. Drop arrays, pictures or a text here to run on your own data.</source>
        <translation>%1. Aufwärmläufe: %2, Läufe mit Profil: %3. Sie sehen dann, wohin die Zeit geht: nach Operator, Knoten und Thread. Ziehen Sie Felder, Bilder oder einen Text hierher, um mit eigenen Daten zu laufen.</translation>
    </message>
    <message>
        <source>Inputs are generated</source>
        <translation>Die Eingaben werden erzeugt</translation>
    </message>
    <message>
        <source>Inputs are the given ones</source>
        <translation>Die Eingaben sind die gegebenen</translation>
    </message>
    <message>
        <source>Slowest over typical run</source>
        <translation>Langsamster über typischem Lauf</translation>
    </message>
    <message>
        <source>The slowest run over a typical one, with marks where most was lost</source>
        <translation>Der langsamste Lauf über einem typischen, mit Marken, wo am meisten verloren ging</translation>
    </message>
    <message>
        <source>It takes two recorded runs to compare a slow one with a typical one</source>
        <translation>Erst zwei aufgezeichnete Läufe lassen einen langsamen mit einem typischen vergleichen</translation>
    </message>
    <message>
        <source>Selected: %1. All tabs are of this range, but for outputs, which a run has once; Esc ends it.</source>
        <translation>Gewählt: %1. Alle Reiter zeigen diesen Bereich, bis auf die Ausgaben, die ein Lauf nur einmal hat; Esc beendet es.</translation>
    </message>
    <message>
        <source>✗ &amp;Outputs (%1)</source>
        <translation>✗ &amp;Ausgaben (%1)</translation>
    </message>
    <message numerus="yes">
        <source>%n output(s) differ from what was recorded</source>
        <translation>
            <numerusform>%n Ausgabe weicht vom Aufgezeichneten ab</numerusform>
            <numerusform>%n Ausgaben weichen vom Aufgezeichneten ab</numerusform>
        </translation>
    </message>
    <message>
        <source>Press F5 to run this model on %1</source>
        <translation>F5 drücken, um dieses Modell auf %1 auszuführen</translation>
    </message>
    <message>
        <source>Find in the timeline</source>
        <translation>In der Zeitleiste suchen</translation>
    </message>
    <message>
        <source>Counters over time</source>
        <translation>Zähler über die Zeit</translation>
    </message>
    <message>
        <source>Threads busy, activations and data moved above the timeline</source>
        <translation>Arbeitende Threads, Aktivierungen und bewegte Daten über der Zeitleiste</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunSettingsBar</name>
    <message>
        <source>&amp;Threads</source>
        <translation>&amp;Threads</translation>
    </message>
    <message>
        <source>Threads that share one operator; auto: one per core</source>
        <translation>Threads, die sich einen Operator teilen; auto: einer je Kern</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>R&amp;uns</source>
        <translation>&amp;Läufe</translation>
    </message>
    <message>
        <source>&amp;Warm-ups</source>
        <translation>A&amp;ufwärmläufe</translation>
    </message>
    <message>
        <source>Runs before the profiled ones, not recorded</source>
        <translation>Läufe vor denen mit Profil, nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>See&amp;d</source>
        <translation>Star&amp;twert</translation>
    </message>
    <message>
        <source>Seed of the generated inputs: the same seed gives the same values</source>
        <translation>Startwert der erzeugten Eingaben: gleicher Wert, gleiche Eingaben</translation>
    </message>
    <message>
        <source>Dimensions:</source>
        <translation>Dimensionen:</translation>
    </message>
    <message>
        <source>Size of the symbolic dimension; auto: chosen by the input generator</source>
        <translation>Größe der symbolischen Dimension; auto: vom Eingabengenerator gewählt</translation>
    </message>
    <message>
        <source>Size of dimension %1</source>
        <translation>Größe der Dimension %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Stop this run (Esc)</source>
        <translation>Diesen Lauf anhalten (Esc)</translation>
    </message>
    <message>
        <source>Run with these settings and profile (F5)</source>
        <translation>Mit diesen Einstellungen ausführen und ein Profil aufnehmen (F5)</translation>
    </message>
    <message>
        <source>Back to the usual options</source>
        <translation>Zurück zu den üblichen Optionen</translation>
    </message>
    <message>
        <source>Session options: %1</source>
        <translation>Sitzungsoptionen: %1</translation>
    </message>
    <message>
        <source>Applied on the Tune or Memory page:</source>
        <translation>Auf der Seite Abstimmen oder Speicher übernommen:</translation>
    </message>
    <message>
        <source>Files, pictures, text or generated values as inputs, and recorded outputs to compare with</source>
        <translation>Dateien, Bilder, Text oder erzeugte Werte als Eingaben, und aufgezeichnete Ausgaben zum Vergleich</translation>
    </message>
    <message>
        <source>auto (%1)</source>
        <translation>auto (%1)</translation>
    </message>
    <message>
        <source>Profiled runs; figures are of the typical one, whose wall time is the median</source>
        <translation>Beobachtete Läufe; Zahlen sind die des typischen, dessen Dauer der Median ist</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunStrip</name>
    <message>
        <source>Recorded runs</source>
        <translation>Aufgezeichnete Läufe</translation>
    </message>
    <message>
        <source>Recorded runs, as tall as they took long; a click shows one in the timeline</source>
        <translation>Aufgezeichnete Läufe, so hoch, wie sie lang dauerten; ein Klick zeigt einen in der Zeitleiste</translation>
    </message>
    <message>
        <source>%1 runs; the slowest is run %2</source>
        <translation>%1 Läufe; der langsamste ist Lauf %2</translation>
    </message>
    <message>
        <source>Run %1 of %2: %3</source>
        <translation>Lauf %1 von %2: %3</translation>
    </message>
    <message>
        <source>the typical run</source>
        <translation>der typische Lauf</translation>
    </message>
    <message>
        <source>the slowest run</source>
        <translation>der langsamste Lauf</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunWatch</name>
    <message>
        <source>Over %1 runs: from %2 to %3.</source>
        <translation>Über %1 Läufe: von %2 bis %3.</translation>
    </message>
    <message>
        <source>NaN or infinite elements in %1 of %2 runs.</source>
        <translation>NaN oder unendliche Elemente in %1 von %2 Läufen.</translation>
    </message>
    <message>
        <source>&amp;Watch</source>
        <translation>&amp;Beobachten</translation>
    </message>
    <message>
        <source>F&amp;iles …</source>
        <translation>Date&amp;ien …</translation>
    </message>
    <message>
        <source>Cance&amp;l</source>
        <translation>Abbre&amp;chen</translation>
    </message>
    <message>
        <source>The value in several runs</source>
        <translation>Der Wert in mehreren Läufen</translation>
    </message>
    <message>
        <source>Number of runs</source>
        <translation>Anzahl der Läufe</translation>
    </message>
    <message>
        <source>Run the model with so many seeds of generated inputs</source>
        <translation>Das Modell mit so vielen Startwerten erzeugter Eingaben laufen lassen</translation>
    </message>
    <message>
        <source>Run the model once for each file of inputs</source>
        <translation>Das Modell einmal für jede Datei mit Eingaben laufen lassen</translation>
    </message>
    <message>
        <source>Press Watch: the value is looked at in several runs, a row for each.</source>
        <translation>„Beobachten“ drücken: der Wert wird in mehreren Läufen angesehen, eine Zeile für jeden.</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Startwert %1</translation>
    </message>
    <message>
        <source>Files of inputs</source>
        <translation>Dateien mit Eingaben</translation>
    </message>
    <message>
        <source>Watch %1 in several runs</source>
        <translation>%1 in mehreren Läufen beobachten</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Running the model …</source>
        <translation>Das Modell läuft …</translation>
    </message>
    <message>
        <source> runs</source>
        <translation> Läufe</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunsOnButton</name>
    <message>
        <source>On %1</source>
        <translation>Auf %1</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>Läuft auf</translation>
    </message>
    <message>
        <source>It cannot be used: %1</source>
        <translation>Nicht verwendbar: %1</translation>
    </message>
    <message>
        <source>This program, on the CPU</source>
        <translation>Dieses Programm, auf der CPU</translation>
    </message>
    <message>
        <source>Looking for plugins and engines …</source>
        <translation>Plugins und Engines werden gesucht …</translation>
    </message>
    <message>
        <source>This program, on %1 (%2)</source>
        <translation>Dieses Programm, auf %1 (%2)</translation>
    </message>
    <message>
        <source>This program, on %1</source>
        <translation>Dieses Programm, auf %1</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1 mit %2</translation>
    </message>
    <message>
        <source>No ONNX Runtime was found</source>
        <translation>Keine ONNX Runtime wurde gefunden</translation>
    </message>
    <message>
        <source>What the shown variant runs on: this program&apos;s CPU, with large weights as they are or rounded to 16 or 8 bits, a device or engine of a plugin, your own ONNX Runtime</source>
        <translation>Worauf die gezeigte Variante läuft: die CPU dieses Programms, mit großen Gewichten wie sie sind oder auf 16 oder 8 Bit gerundet, ein Gerät oder eine Engine eines Plugins, die eigene ONNX Runtime</translation>
    </message>
    <message>
        <source>This program, on the CPU, weights in %1</source>
        <translation>Dieses Programm, auf der CPU, Gewichte in %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SamplePictures</name>
    <message>
        <source>Samples as the model sees them</source>
        <translation>Beispiele, wie das Modell sie sieht</translation>
    </message>
    <message>
        <source>judges the result</source>
        <translation>beurteilt das Ergebnis</translation>
    </message>
    <message>
        <source>gives ranges</source>
        <translation>gibt Bereiche</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SampleStrip</name>
    <message>
        <source>%1 %2, %3 to %4, mean %5</source>
        <translation>%1 %2, %3 bis %4, Mittel %5</translation>
    </message>
    <message>
        <source>&amp;Folder …</source>
        <translation>&amp;Ordner …</translation>
    </message>
    <message>
        <source>F&amp;ile …</source>
        <translation>&amp;Datei …</translation>
    </message>
    <message>
        <source>Use generated ones</source>
        <translation>Erzeugte nehmen</translation>
    </message>
    <message>
        <source>Take made-up inputs instead</source>
        <translation>Stattdessen ausgedachte Eingaben nehmen</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Folder of samples</source>
        <translation>Ordner mit Beispielen</translation>
    </message>
    <message>
        <source>File of samples</source>
        <translation>Datei mit Beispielen</translation>
    </message>
    <message>
        <source>Generated inputs</source>
        <translation>Erzeugte Eingaben</translation>
    </message>
    <message>
        <source>%1: looking at it …</source>
        <translation>%1: wird angesehen …</translation>
    </message>
    <message>
        <source>%1 give ranges, %2 judge the result</source>
        <translation>%1 geben Bereiche, %2 beurteilen das Ergebnis</translation>
    </message>
    <message>
        <source>it gives the ranges and judges the result</source>
        <translation>es gibt die Bereiche und beurteilt das Ergebnis</translation>
    </message>
    <message>
        <source>The first: %1</source>
        <translation>Das erste: %1</translation>
    </message>
    <message>
        <source>A sample cannot be read and is left out: %1</source>
        <translation>Ein Beispiel ist nicht lesbar und wird ausgelassen: %1</translation>
    </message>
    <message>
        <source>These are few samples: eight or more are advised for ranges that hold.</source>
        <translation>Das sind wenige Beispiele: für haltbare Bereiche werden acht oder mehr empfohlen.</translation>
    </message>
    <message>
        <source>Made-up inputs say little: their ranges are not those of real ones, and neither is the accuracy. Drop a folder of real samples on this page.</source>
        <translation>Ausgedachte Eingaben sagen wenig: ihre Bereiche sind nicht die von echten, und die Genauigkeit auch nicht. Ziehen Sie einen Ordner mit echten Beispielen auf diese Seite.</translation>
    </message>
    <message>
        <source>1 sample</source>
        <translation>1 Beispiel</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 Beispiele</translation>
    </message>
    <message>
        <source>Generated: %1, %2</source>
        <translation>Erzeugt: %1, %2</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>A folder of pictures, sounds (.wav), .npz, .npy or .pb files, one sample each; it can be dropped on this page too</source>
        <translation>Ein Ordner mit Bildern, Tönen (.wav), .npz-, .npy- oder .pb-Dateien, je ein Beispiel; er lässt sich auch auf diese Seite ziehen</translation>
    </message>
    <message>
        <source>An .npz or .npy file with one sample behind the other along its first dimension, or a .txt of one line of text per sample</source>
        <translation>Eine .npz- oder .npy-Datei mit einem Beispiel hinter dem anderen entlang der ersten Dimension, oder eine .txt mit einer Textzeile je Beispiel</translation>
    </message>
    <message>
        <source>The tokens that lines of text are cut into: a tokenizer.json, or one per line, as BERT has them in its vocab.txt</source>
        <translation>Die Tokens, in die Textzeilen zerlegt werden: eine tokenizer.json, oder eines je Zeile, wie BERT sie in vocab.txt hat</translation>
    </message>
    <message>
        <source>The classes of the samples: a .csv of file names and classes, a .npy, or an .npz with one array of classes; a .csv can be dropped on this page too</source>
        <translation>Die Klassen der Beispiele: eine .csv mit Dateinamen und Klassen, eine .npy oder eine .npz mit einem Feld von Klassen; eine .csv lässt sich auch auf diese Seite ziehen</translation>
    </message>
    <message>
        <source>Samples (*.npz *.npy *.png *.jpg *.jpeg *.pb *.wav *.txt)</source>
        <translation>Beispiele (*.npz *.npy *.png *.jpg *.jpeg *.pb *.wav *.txt)</translation>
    </message>
    <message>
        <source>Tokenizer, or one token per line</source>
        <translation>Tokenizer, oder ein Token je Zeile</translation>
    </message>
    <message>
        <source>Tokens (*.json *.txt)</source>
        <translation>Tokens (*.json *.txt)</translation>
    </message>
    <message>
        <source>Labels of the samples</source>
        <translation>Beschriftungen der Beispiele</translation>
    </message>
    <message>
        <source>Labels (*.csv *.npy *.npz)</source>
        <translation>Beschriftungen (*.csv *.npy *.npz)</translation>
    </message>
    <message>
        <source>Labels: %1; right answers of those that judge are counted</source>
        <translation>Beschriftungen: %1; gezählt werden richtige Antworten bei denen, die urteilen</translation>
    </message>
    <message>
        <source>Vo&amp;cabulary …</source>
        <translation>Wort&amp;schatz …</translation>
    </message>
    <message>
        <source>Labels …</source>
        <translation>Beschriftungen …</translation>
    </message>
    <message>
        <source>Without labels</source>
        <translation>Ohne Beschriftungen</translation>
    </message>
    <message>
        <source>Array</source>
        <translation>Array</translation>
    </message>
    <message>
        <source>its name</source>
        <translation>sein Name</translation>
    </message>
    <message>
        <source>The array of the .npz that holds the samples, where several would fit</source>
        <translation>Das Array der .npz, in dem die Beispiele stehen, wo mehrere passen würden</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ScalingCurve</name>
    <message>
        <source>Speed-up by threads</source>
        <translation>Beschleunigung nach Threads</translation>
    </message>
    <message>
        <source>%1: %2 as fast as %3, ideal %4</source>
        <translation>%1: %2 so schnell wie %3, ideal %4</translation>
    </message>
    <message>
        <source>The speed-up appears when settings with different numbers of threads are measured. Press Start.</source>
        <translation>Die Beschleunigung erscheint, wenn Einstellungen mit verschiedenen Threadzahlen gemessen sind. Start drücken.</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 Kerne</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>ideal</translation>
    </message>
    <message>
        <source>measured, 95 % intervals</source>
        <translation>gemessen, 95-%-Intervalle</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ScopePanel</name>
    <message>
        <source>Time by scope</source>
        <translation>Zeit nach Namensraum</translation>
    </message>
    <message>
        <source>Zoom out to the scope around (Backspace)</source>
        <translation>In den umgebenden Namensraum herauszoomen (Rücktaste)</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>As table</source>
        <translation>Als Tabelle</translation>
    </message>
    <message>
        <source>Lists the scopes with their times</source>
        <translation>Führt die Namensräume mit ihren Zeiten auf</translation>
    </message>
    <message>
        <source>No kernel ran in the selected range.</source>
        <translation>Im gewählten Bereich lief kein Kernel.</translation>
    </message>
    <message>
        <source>The names of the nodes show no scopes: grouped by family and operator. Double click: zoom or show in graph.</source>
        <translation>Die Namen der Knoten verraten keine Namensräume: nach Familie und Operator gruppiert. Doppelklick: zoomen oder im Graphen zeigen.</translation>
    </message>
    <message>
        <source>Grouped by the scopes of the nodes&apos; names. Double click: zoom or show in graph.</source>
        <translation>Nach den Namensräumen der Knotennamen gruppiert. Doppelklick: zoomen oder im Graphen zeigen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ServingPanel</name>
    <message>
        <source>Latency against throughput</source>
        <translation>Latenz gegen Durchsatz</translation>
    </message>
    <message>
        <source>Callers at the same time</source>
        <translation>Gleichzeitige Aufrufer</translation>
    </message>
    <message>
        <source>Measure 1, 2, 4, 8 and 16 callers, each of which sends its next request when the last is answered</source>
        <translation>1, 2, 4, 8 und 16 Aufrufer messen, die je ihre nächste Anfrage senden, wenn die letzte beantwortet ist</translation>
    </message>
    <message>
        <source>requests per second</source>
        <translation>Anfragen je Sekunde</translation>
    </message>
    <message>
        <source>median latency, ms</source>
        <translation>Latenz im Median, ms</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>Kein Modell ist offen.</translation>
    </message>
    <message>
        <source>Measuring failed: %1</source>
        <translation>Die Messung misslang: %1</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>Misst …</translation>
    </message>
    <message>
        <source>What happens when many ask at once? Does it pay to put their requests together into batches?</source>
        <translation>Was geschieht, wenn viele zugleich fragen? Lohnt es, ihre Anfragen zu Batches zusammenzufassen?</translation>
    </message>
    <message>
        <source>Putting requests together answers no more of them, up to %1 callers.</source>
        <translation>Anfragen zusammenzufassen beantwortet bis zu %1 Aufrufern nicht mehr davon.</translation>
    </message>
    <message>
        <source>From %1 callers on putting requests together answers %2 times as many; 99 % are answered within %3 instead of %4.</source>
        <translation>Ab %1 Aufrufern beantwortet das Zusammenfassen %2-mal so viele Anfragen; 99 % sind nach %3 statt %4 beantwortet.</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>A&amp;nhalten</translation>
    </message>
    <message>
        <source>Sta&amp;rt</source>
        <translation>Sta&amp;rten</translation>
    </message>
    <message>
        <source>Measure a&amp;gain</source>
        <translation>&amp;Erneut messen</translation>
    </message>
    <message>
        <source>Grouped requests are joined by a line.</source>
        <translation>Gruppierte Anfragen verbindet eine Linie.</translation>
    </message>
    <message>
        <source>A line for each number of callers.</source>
        <translation>Eine Zeile je Zahl der Aufrufer.</translation>
    </message>
    <message>
        <source>1 caller</source>
        <translation>1 Aufrufer</translation>
    </message>
    <message>
        <source>%1 callers</source>
        <translation>%1 Aufrufer</translation>
    </message>
    <message>
        <source>%1, requests put together: %2 per second, median %3</source>
        <translation>%1, Anfragen zusammengelegt: %2 pro Sekunde, Median %3</translation>
    </message>
    <message>
        <source>%1, one by one: %2 per second, median %3</source>
        <translation>%1, einzeln: %2 pro Sekunde, Median %3</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SettingsDialog</name>
    <message>
        <source>Ask before &amp;unsaved changes are lost</source>
        <translation>Fragen, bevor &amp;ungespeicherte Änderungen verloren gehen</translation>
    </message>
    <message>
        <source>Ask before &amp;quitting while something is measured or saved</source>
        <translation>Fragen vor dem &amp;Beenden, während gemessen oder gespeichert wird</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Like the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Holds from the next start on</source>
        <translation>Gilt ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Design</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>Threads that share one operator; auto: one per core</source>
        <translation>Threads, die sich einen Operator teilen; auto: einer je Kern</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>Profiled runs</source>
        <translation>Läufe mit Profil</translation>
    </message>
    <message>
        <source>Runs before the profiled ones, not recorded</source>
        <translation>Läufe vor denen mit Profil, nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>Size of free batch dimensions when a model is opened</source>
        <translation>Größe freier Batch-Dimensionen, wenn ein Modell geöffnet wird</translation>
    </message>
    <message>
        <source>Length of free sequences when a model is opened</source>
        <translation>Länge freier Sequenzen, wenn ein Modell geöffnet wird</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Keine Grenze</translation>
    </message>
    <message>
        <source>Models run in a separate process; one that crashes leaves the window as it is.</source>
        <translation>Modelle laufen in einem eigenen Prozess; einer, der abstürzt, nimmt nichts mit.</translation>
    </message>
    <message>
        <source>Models run in this program: %1</source>
        <translation>Modelle laufen in diesem Programm: %1</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>T&amp;hreads</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>&amp;Läufe</translation>
    </message>
    <message>
        <source>&amp;Warm-ups</source>
        <translation>Au&amp;fwärmläufe</translation>
    </message>
    <message>
        <source>Usual &amp;batch</source>
        <translation>Üblicher Ba&amp;tch</translation>
    </message>
    <message>
        <source>Usual &amp;sequence</source>
        <translation>Übliche Se&amp;quenz</translation>
    </message>
    <message>
        <source>&amp;Memory limit</source>
        <translation>Spei&amp;chergrenze</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Rückfragen</translation>
    </message>
    <message>
        <source>Run models in a separate &amp;process</source>
        <translation>Modelle in einem eigenen &amp;Prozess ausführen</translation>
    </message>
    <message>
        <source>kB, MB, GB (powers of 1000)</source>
        <translation>kB, MB, GB (Potenzen von 1000)</translation>
    </message>
    <message>
        <source>KiB, MiB, GiB (powers of 1024)</source>
        <translation>KiB, MiB, GiB (Potenzen von 1024)</translation>
    </message>
    <message>
        <source>U&amp;nits of sizes</source>
        <translation>&amp;Einheiten von Größen</translation>
    </message>
    <message>
        <source>Me&amp;asure unasked: levels of small models, ONNX Runtime</source>
        <translation>Ungefragt &amp;messen: Stufen kleiner Modelle, ONNX Runtime</translation>
    </message>
    <message>
        <source>Levels on the Optimize page where a run takes at most 30 ms, and your ONNX Runtime beside what Tune recommends; what you start comes first</source>
        <translation>Stufen auf der Seite Optimieren, wo ein Lauf höchstens 30 ms dauert, und Ihre ONNX Runtime neben dem, was Abstimmen empfiehlt; was Sie starten, geht vor</translation>
    </message>
    <message>
        <source>&amp;Font</source>
        <translation>Schrifta&amp;rt</translation>
    </message>
    <message>
        <source>Te&amp;xt size</source>
        <translation>Text&amp;größe</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>&amp;Open what was open last at the start</source>
        <translation>Beim Start &amp;zuletzt Geöffnetes öffnen</translation>
    </message>
    <message>
        <source>The model or project that was opened last; a project also has its page and variants</source>
        <translation>Das Modell oder Projekt, das zuletzt geöffnet wurde; ein Projekt hat auch seine Seite und seine Varianten</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ShortcutSheet</name>
    <message>
        <source>Keys of commands</source>
        <translation>Tasten der Befehle</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Move to the neighbouring node</source>
        <translation>Zum benachbarten Knoten</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>Pfeiltasten</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <source>Copy the selected rows</source>
        <translation>Die gewählten Zeilen kopieren</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>Compare as A, as B</source>
        <translation>Als A, als B vergleichen</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Go to the peak</source>
        <translation>Zur Spitze gehen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Show only commands with these words</source>
        <translation>Nur Befehle mit diesen Wörtern zeigen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SideTable</name>
    <message>
        <source>Variants side by side</source>
        <translation>Varianten nebeneinander</translation>
    </message>
    <message>
        <source>A line for each variant. Changed tokens and the divergence of logits need A and B on the same tokens.</source>
        <translation>Eine Zeile je Variante. Geänderte Tokens und die Divergenz der Logits brauchen A und B auf denselben Tokens.</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SizesChip</name>
    <message>
        <source>Sizes of the inputs</source>
        <translation>Größen der Eingaben</translation>
    </message>
    <message>
        <source>fixed sizes</source>
        <translation>feste Größen</translation>
    </message>
    <message>
        <source>no sizes</source>
        <translation>keine Größen</translation>
    </message>
    <message>
        <source>Sizes of the inputs, for every page: %1</source>
        <translation>Größen der Eingaben, für jede Seite: %1</translation>
    </message>
    <message>
        <source>The inputs of the model have no free sizes</source>
        <translation>Die Eingaben des Modells haben keine freien Größen</translation>
    </message>
    <message>
        <source>Batch %1</source>
        <translation>Batch %1</translation>
    </message>
    <message>
        <source>Sequence %1</source>
        <translation>Sequenz %1</translation>
    </message>
    <message>
        <source>&amp;Usual sizes</source>
        <translation>&amp;Übliche Größen</translation>
    </message>
    <message>
        <source>Leave all sizes to the input generator</source>
        <translation>Alle Größen dem Erzeuger der Eingaben überlassen</translation>
    </message>
    <message>
        <source>&amp;Other sizes …</source>
        <translation>&amp;Andere Größen …</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SizesDialog</name>
    <message>
        <source>Sizes of the inputs</source>
        <translation>Größen der Eingaben</translation>
    </message>
    <message>
        <source>auto (%1)</source>
        <translation>auto (%1)</translation>
    </message>
    <message>
        <source>Size of dimension %1</source>
        <translation>Größe der Dimension %1</translation>
    </message>
    <message>
        <source>Every page runs, plans and measures with these sizes.</source>
        <translation>Jede Seite läuft, plant und misst mit diesen Größen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SliceBar</name>
    <message>
        <source>&amp;Part</source>
        <translation>&amp;Teil</translation>
    </message>
    <message>
        <source>Part of the value that is shown</source>
        <translation>Teil des Wertes, der gezeigt wird</translation>
    </message>
    <message>
        <source>An element (3) or a range (2:5, :) for each axis, with commas between, as NumPy writes it. Enter shows that part.</source>
        <translation>Für jede Achse ein Element (3) oder ein Bereich (2:5, :), mit Kommas getrennt, wie NumPy es schreibt. Die Eingabetaste zeigt diesen Teil.</translation>
    </message>
    <message>
        <source>Show the part before, along the last axis that is not shown whole</source>
        <translation>Den Teil davor zeigen, entlang der letzten Achse, die nicht ganz gezeigt wird</translation>
    </message>
    <message>
        <source>Show the next part, along the last axis that is not shown whole</source>
        <translation>Den nächsten Teil zeigen, entlang der letzten Achse, die nicht ganz gezeigt wird</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>There is no such part.</source>
        <translation>Einen solchen Teil gibt es nicht.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SlotBar</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>A und B tauschen</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>Erneut vergleichen</translation>
    </message>
    <message>
        <source>Choose two different variants first</source>
        <translation>Zuerst zwei verschiedene Varianten wählen</translation>
    </message>
    <message>
        <source>Measure A and B in turn for about %1 s, profile both and compare their outputs</source>
        <translation>A und B etwa %1 s lang abwechselnd messen, von beiden ein Profil aufnehmen und ihre Ausgaben vergleichen</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SlotCombo</name>
    <message>
        <source>Variant A</source>
        <translation>Variante A</translation>
    </message>
    <message>
        <source>Variant B</source>
        <translation>Variante B</translation>
    </message>
    <message>
        <source>What B is compared with. Drop a variant from the Variants dock here, or press A there.</source>
        <translation>Womit B verglichen wird. Eine Variante aus dem Bereich Varianten hier ablegen oder dort A drücken.</translation>
    </message>
    <message>
        <source>What is compared with A. Drop a variant from the Variants dock here, or press B there.</source>
        <translation>Was mit A verglichen wird. Eine Variante aus dem Bereich Varianten hier ablegen oder dort B drücken.</translation>
    </message>
    <message>
        <source>%1 (being made …)</source>
        <translation>%1 (wird erzeugt …)</translation>
    </message>
    <message>
        <source>%1 (not made yet)</source>
        <translation>%1 (noch nicht erzeugt)</translation>
    </message>
    <message>
        <source>Choose A</source>
        <translation>A wählen</translation>
    </message>
    <message>
        <source>Choose B</source>
        <translation>B wählen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SlowRunView</name>
    <message>
        <source>typical</source>
        <translation>typisch</translation>
    </message>
    <message>
        <source>slowest</source>
        <translation>langsamster</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>The slowest run over a typical one</source>
        <translation>Der langsamste Lauf über einem typischen</translation>
    </message>
    <message>
        <source>It takes two recorded runs to compare a slow one with a typical one.</source>
        <translation>Erst zwei aufgezeichnete Läufe lassen einen langsamen mit einem typischen vergleichen.</translation>
    </message>
    <message>
        <source>Run %1 took %2, %3 longer than run %4, a typical one (%5)</source>
        <translation>Lauf %1 dauerte %2, %3 länger als Lauf %4, ein typischer (%5)</translation>
    </message>
    <message>
        <source>%1 in %2 %3</source>
        <translation>%1 in %2 %3</translation>
    </message>
    <message>
        <source>%1 between kernels</source>
        <translation>%1 zwischen Kernels</translation>
    </message>
    <message>
        <source>%1; the loss is spread over all kernels.</source>
        <translation>%1; der Verlust verteilt sich auf alle Kernels.</translation>
    </message>
    <message>
        <source>%1 · %2: typically %3, in the slowest run %4 (%5)</source>
        <translation>%1 · %2: typisch %3, im langsamsten Lauf %4 (%5)</translation>
    </message>
    <message>
        <source>+%1 between kernels</source>
        <translation>+%1 zwischen Kernels</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SnippetDialog</name>
    <message>
        <source>Code snippet</source>
        <translation>Codeausschnitt</translation>
    </message>
    <message>
        <source>A program that runs the model in ONNX Runtime with level, threads and sizes in force. A variant that is edited, quantized or made by rules of yours has to be exported first; the code names the file.</source>
        <translation>Ein Programm, das das Modell in ONNX Runtime mit der geltenden Stufe, den geltenden Threads und Größen ausführt. Eine bearbeitete, quantisierte oder mit eigenen Regeln erzeugte Variante muss vorher exportiert werden; der Code nennt die Datei.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SpaceEditor</name>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads that share one operator (intra-op)</source>
        <translation>Threads, die sich einen Operator teilen (intra-op)</translation>
    </message>
    <message>
        <source>More than this machine&apos;s %1 cores</source>
        <translation>Mehr als die %1 Kerne dieser Maschine</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Samples that one run takes</source>
        <translation>Proben, die ein Lauf nimmt</translation>
    </message>
    <message>
        <source>Lowest latency</source>
        <translation>Geringste Latenz</translation>
    </message>
    <message>
        <source>Highest throughput</source>
        <translation>Höchster Durchsatz</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>What the recommendation is after: the shortest run, or the most inferences per second</source>
        <translation>Wonach sich die Empfehlung richtet: der kürzeste Lauf oder die meisten Inferenzen je Sekunde</translation>
    </message>
    <message>
        <source>&amp;Goal</source>
        <translation>&amp;Ziel</translation>
    </message>
    <message>
        <source>Latency &amp;cap</source>
        <translation>Latenz&amp;grenze</translation>
    </message>
    <message>
        <source>Settings whose median is above it are not recommended</source>
        <translation>Einstellungen, deren Median darüber liegt, werden nicht empfohlen</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>More …</source>
        <translation>Mehr …</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Optimization level of the model</source>
        <translation>Optimierungsstufe des Modells</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>Ausführung</translation>
    </message>
    <message>
        <source>sequential: one node at a time with all threads; parallel: branches of the graph at the same time</source>
        <translation>sequenziell: ein Knoten nach dem anderen mit allen Threads; parallel: Zweige des Graphen gleichzeitig</translation>
    </message>
    <message>
        <source>Inter-op</source>
        <translation>Inter-op</translation>
    </message>
    <message>
        <source>Nodes at a time in parallel execution</source>
        <translation>Gleichzeitige Knoten bei paralleler Ausführung</translation>
    </message>
    <message>
        <source>Spinning</source>
        <translation>Aktives Warten</translation>
    </message>
    <message>
        <source>on: threads wait for work busily, which starts operators sooner and takes CPU time</source>
        <translation>an: Threads warten aktiv auf Arbeit, was Operatoren früher beginnen lässt und CPU-Zeit kostet</translation>
    </message>
    <message>
        <source>&amp;Seconds per setting</source>
        <translation>&amp;Sekunden je Einstellung</translation>
    </message>
    <message>
        <source>Measuring one setting ends when its interval is within ±2 %, or after this time</source>
        <translation>Das Messen einer Einstellung endet, wenn ihr Intervall innerhalb ±2 % liegt, oder nach dieser Zeit</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>&amp;Budget</source>
        <translation>&amp;Budget</translation>
    </message>
    <message>
        <source>Time for everything; settings that do not fit are left out</source>
        <translation>Zeit für alles; Einstellungen, die nicht hineinpassen, bleiben aus</translation>
    </message>
    <message>
        <source>These are %1 settings; at most %2 can be measured at once.</source>
        <translation>Das sind %1 Einstellungen; höchstens %2 lassen sich auf einmal messen.</translation>
    </message>
    <message>
        <source>Only the batch as given: %1.</source>
        <translation>Nur der Batch wie gegeben: %1.</translation>
    </message>
    <message>
        <source>Inter-op threads need parallel execution.</source>
        <translation>Inter-op-Threads brauchen parallele Ausführung.</translation>
    </message>
    <message>
        <source>1 setting</source>
        <translation>1 Einstellung</translation>
    </message>
    <message>
        <source>%1 settings</source>
        <translation>%1 Einstellungen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2 left: %3</source>
        <translation>%1, noch %2: %3</translation>
    </message>
    <message>
        <source>Execution mode, inter-op threads, spinning, measuring time</source>
        <translation>Ausführungsart, Inter-op-Threads, aktives Warten, Messdauer</translation>
    </message>
</context>
<context>
    <name>lapidary::views::StartPage</name>
    <message>
        <source>Lapidary</source>
        <translation>Lapidary</translation>
    </message>
    <message>
        <source>Open an ONNX model, look through it, run it and see where the time goes.</source>
        <translation>Ein ONNX-Modell öffnen, durchsehen, ausführen und sehen, wohin die Zeit geht.</translation>
    </message>
    <message>
        <source>Real architectures with random weights, built here: good for trying things out and for timing.</source>
        <translation>Echte Architekturen mit zufälligen Gewichten, hier gebaut: gut zum Ausprobieren und für Zeitmessungen.</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt geöffnete Dateien</translation>
    </message>
    <message>
        <source>Files you open are listed here.</source>
        <translation>Geöffnete Dateien stehen hier.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Ein Modell öffnen</translation>
    </message>
    <message>
        <source>Your own ONNX model, or a project with one.</source>
        <translation>Ihr eigenes ONNX-Modell oder ein Projekt damit.</translation>
    </message>
    <message>
        <source>Take the tour</source>
        <translation>Rundgang machen</translation>
    </message>
    <message>
        <source>A minute on a sample: you open it, look at it, optimize it and run it yourself.</source>
        <translation>Eine Minute an einem Beispiel: Sie öffnen es, sehen es an, optimieren es und führen es selbst aus.</translation>
    </message>
    <message>
        <source>Open a profile</source>
        <translation>Ein Profil öffnen</translation>
    </message>
    <message>
        <source>What ONNX Runtime&apos;s profiler wrote, or a Chrome trace: see where its time went.</source>
        <translation>Was der Profiler von ONNX Runtime schrieb, oder eine Chrome-Aufzeichnung: sehen, wohin die Zeit ging.</translation>
    </message>
    <message>
        <source>Why is it slow?</source>
        <translation>Warum ist es langsam?</translation>
    </message>
    <message>
        <source>Runs it and shows the time by operator, node and thread.</source>
        <translation>Führt es aus und zeigt die Zeit nach Operator, Knoten und Thread.</translation>
    </message>
    <message>
        <source>What holds memory?</source>
        <translation>Was hält Speicher?</translation>
    </message>
    <message>
        <source>What is alive at the peak, and who keeps it, before anything runs.</source>
        <translation>Was am Höchststand lebt und wer es hält, bevor etwas ausgeführt wird.</translation>
    </message>
    <message>
        <source>What can be optimized?</source>
        <translation>Was lässt sich optimieren?</translation>
    </message>
    <message>
        <source>The four levels side by side, rewrite by rewrite, and what almost matched.</source>
        <translation>Die vier Stufen nebeneinander, Umformung für Umformung, und was beinahe gepasst hätte.</translation>
    </message>
    <message>
        <source>How small can it get?</source>
        <translation>Wie klein kann es werden?</translation>
    </message>
    <message>
        <source>Fewer bits, and what that costs in accuracy.</source>
        <translation>Weniger Bits, und was das an Genauigkeit kostet.</translation>
    </message>
    <message>
        <source>Asked of the model that is open, or of a small sample.</source>
        <translation>Gefragt wird nach dem offenen Modell, sonst nach einem kleinen Beispiel.</translation>
    </message>
    <message>
        <source>What do you want to know?</source>
        <translation>Was möchten Sie wissen?</translation>
    </message>
    <message>
        <source>Profiles of ONNX Runtime and Chrome traces (*.json)</source>
        <translation>Profile von ONNX Runtime und Chrome-Aufzeichnungen (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::StepBar</name>
    <message>
        <source>Rewrites</source>
        <translation>Umformungen</translation>
    </message>
    <message>
        <source>Original graph</source>
        <translation>Ursprünglicher Graph</translation>
    </message>
    <message>
        <source>Previous rewrite</source>
        <translation>Vorige Umformung</translation>
    </message>
    <message>
        <source>Next rewrite</source>
        <translation>Nächste Umformung</translation>
    </message>
    <message>
        <source>Finished graph</source>
        <translation>Fertiger Graph</translation>
    </message>
    <message>
        <source>Rewrites applied</source>
        <translation>Angewandte Umformungen</translation>
    </message>
    <message>
        <source>What the step did</source>
        <translation>Was der Schritt tat</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>session: %1 of %2</source>
        <translation>Sitzung: %1 von %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::StepCanvas</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SummaryCards</name>
    <message>
        <source>Key figures of A and B</source>
        <translation>Kennzahlen von A und B</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: A %2, B %3, %4 %5</source>
        <translation>%1: A %2, B %3, %4 %5</translation>
    </message>
    <message>
        <source>median of %1 runs; 95 % interval %2 to %3</source>
        <translation>Median von %1 Läufen; 95-%-Intervall %2 bis %3</translation>
    </message>
    <message>
        <source>no change</source>
        <translation>keine Änderung</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>press Compare</source>
        <translation>„Vergleichen“ drücken</translation>
    </message>
    <message>
        <source>Median time of one run. Both variants run in turn, in random order, so that a busy machine slows both.</source>
        <translation>Median der Zeit eines Laufs. Beide Varianten laufen abwechselnd in zufälliger Folge, sodass eine beschäftigte Maschine beide bremst.</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Inferences per second: batch size by the median time of a run</source>
        <translation>Inferenzen je Sekunde: Batchgröße durch Median der Laufzeit</translation>
    </message>
    <message>
        <source>Load time</source>
        <translation>Ladezeit</translation>
    </message>
    <message>
        <source>%1 /s</source>
        <translation>%1 /s</translation>
    </message>
    <message>
        <source>of pairs: %1</source>
        <translation>von Paaren: %1</translation>
    </message>
    <message>
        <source>significant: %1</source>
        <translation>signifikant: %1</translation>
    </message>
    <message>
        <source>no difference beyond noise</source>
        <translation>kein Unterschied über das Rauschen hinaus</translation>
    </message>
    <message>
        <source>Difference of B against A: %1 (95 % interval)</source>
        <translation>Unterschied von B gegen A: %1 (95-%-Intervall)</translation>
    </message>
    <message>
        <source>of pairs, significant</source>
        <translation>von Paaren, signifikant</translation>
    </message>
    <message>
        <source>significant</source>
        <translation>signifikant</translation>
    </message>
    <message>
        <source>First run: %1 and %2</source>
        <translation>Erster Lauf: %1 und %2</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes of the graph, those of subgraphs counted</source>
        <translation>Knoten des Graphen, die von Teilgraphen mitgezählt</translation>
    </message>
    <message>
        <source>From the file to a session that can run: each variant is exported and opened by a separate process</source>
        <translation>Von der Datei bis zur lauffähigen Sitzung: jede Variante wird exportiert und von einem eigenen Prozess geöffnet</translation>
    </message>
    <message>
        <source>of fresh processes</source>
        <translation>frischer Prozesse</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>planning …</source>
        <translation>wird geplant …</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>Memory of a process that runs it, as the Memory page shows it</source>
        <translation>Speicher eines Prozesses, der es ausführt, wie auf der Seite Speicher</translation>
    </message>
    <message>
        <source>Activations planned: %1 and %2</source>
        <translation>Geplante Aktivierungen: %1 und %2</translation>
    </message>
    <message>
        <source>Resident memory of fresh processes, pages of files included: %1 and %2</source>
        <translation>Residenter Speicher frischer Prozesse, Seiten von Dateien eingeschlossen: %1 und %2</translation>
    </message>
    <message>
        <source>Weights as stored</source>
        <translation>Gewichte wie gespeichert</translation>
    </message>
    <message>
        <source>Bytes of all constants in the file</source>
        <translation>Bytes aller Konstanten in der Datei</translation>
    </message>
    <message>
        <source>The change is that of pairs: the median over runs of B, each against the run of A beside it. It may differ from that of the two medians.</source>
        <translation>Die Änderung ist die von Paaren: der Median über Läufe von B, jeder gegen den Lauf von A daneben. Sie kann von der der beiden Mediane abweichen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SurgeryActions</name>
    <message>
        <source>Rename the nodes …</source>
        <translation>Mehrere Knoten umbenennen …</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>Ein- und Ausgänge</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>Umhüllen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Remove the selected nodes; readers go on with what they read</source>
        <translation>Die ausgewählten Knoten entfernen; Leser lesen weiter, was sie lasen</translation>
    </message>
    <message>
        <source>Delete, cutting</source>
        <translation>Löschen mit Schnitt</translation>
    </message>
    <message>
        <source>Remove the selected nodes; what is missing then becomes inputs</source>
        <translation>Die ausgewählten Knoten entfernen; was dann fehlt, wird zu Eingängen</translation>
    </message>
    <message>
        <source>Set an attribute …</source>
        <translation>Attribut setzen …</translation>
    </message>
    <message>
        <source>Give an attribute of the nodes a value</source>
        <translation>Einem Attribut der Knoten einen Wert geben</translation>
    </message>
    <message>
        <source>Remove an attribute …</source>
        <translation>Attribut entfernen …</translation>
    </message>
    <message>
        <source>Remove an attribute, which then has its default</source>
        <translation>Ein Attribut entfernen, das dann seinen Vorgabewert hat</translation>
    </message>
    <message>
        <source>Rename the node …</source>
        <translation>Knoten umbenennen …</translation>
    </message>
    <message>
        <source>Rename the value …</source>
        <translation>Wert umbenennen …</translation>
    </message>
    <message>
        <source>Give the value another name</source>
        <translation>Dem Wert einen anderen Namen geben</translation>
    </message>
    <message>
        <source>Rename the input …</source>
        <translation>Eingang umbenennen …</translation>
    </message>
    <message>
        <source>Give the input of the model another name</source>
        <translation>Dem Eingang des Modells einen anderen Namen geben</translation>
    </message>
    <message>
        <source>Rename the output …</source>
        <translation>Ausgang umbenennen …</translation>
    </message>
    <message>
        <source>Give the output of the model another name</source>
        <translation>Dem Ausgang des Modells einen anderen Namen geben</translation>
    </message>
    <message>
        <source>Show it without its level</source>
        <translation>Ohne Stufe zeigen</translation>
    </message>
    <message>
        <source>Show the graph that edits are applied to, whose nodes can all be edited</source>
        <translation>Den Graphen zeigen, auf den Bearbeitungen wirken und dessen Knoten alle bearbeitet werden können</translation>
    </message>
    <message>
        <source>Insert before …</source>
        <translation>Davor einfügen …</translation>
    </message>
    <message>
        <source>Put a node before the selected one</source>
        <translation>Einen Knoten vor den ausgewählten setzen</translation>
    </message>
    <message>
        <source>Insert after …</source>
        <translation>Dahinter einfügen …</translation>
    </message>
    <message>
        <source>Put a node behind the selected one</source>
        <translation>Einen Knoten hinter den ausgewählten setzen</translation>
    </message>
    <message>
        <source>Insert on the value …</source>
        <translation>Auf dem Wert einfügen …</translation>
    </message>
    <message>
        <source>Put a node on the selected line</source>
        <translation>Einen Knoten auf die ausgewählte Linie setzen</translation>
    </message>
    <message>
        <source>Replace by an operator …</source>
        <translation>Durch einen Operator ersetzen …</translation>
    </message>
    <message>
        <source>Give the nodes another operator</source>
        <translation>Den Knoten einen anderen Operator geben</translation>
    </message>
    <message>
        <source>Replace by a model …</source>
        <translation>Durch ein Modell ersetzen …</translation>
    </message>
    <message>
        <source>Put the nodes of a model file in place of each node</source>
        <translation>Die Knoten einer Modelldatei an die Stelle jedes Knotens setzen</translation>
    </message>
    <message>
        <source>Replace by a function …</source>
        <translation>Durch eine Funktion ersetzen …</translation>
    </message>
    <message>
        <source>Call a function of the model in place of each node</source>
        <translation>An der Stelle jedes Knotens eine Funktion des Modells aufrufen</translation>
    </message>
    <message>
        <source>Expand into simpler operators</source>
        <translation>In einfachere Operatoren zerlegen</translation>
    </message>
    <message>
        <source>Put the simpler nodes that define an operator or function in its place</source>
        <translation>Die einfacheren Knoten, die einen Operator oder eine Funktion festlegen, an seine Stelle setzen</translation>
    </message>
    <message>
        <source>Split Gemm</source>
        <translation>Gemm teilen</translation>
    </message>
    <message>
        <source>Put MatMul and Add in place of Gemm</source>
        <translation>MatMul und Add an die Stelle von Gemm setzen</translation>
    </message>
    <message>
        <source>Resolve If: then</source>
        <translation>If auflösen: then</translation>
    </message>
    <message>
        <source>Put the branch for true in place of the If</source>
        <translation>Den Zweig für wahr an die Stelle des If setzen</translation>
    </message>
    <message>
        <source>Resolve If: else</source>
        <translation>If auflösen: else</translation>
    </message>
    <message>
        <source>Put the branch for false in place of the If</source>
        <translation>Den Zweig für falsch an die Stelle des If setzen</translation>
    </message>
    <message>
        <source>Make it an output</source>
        <translation>Zum Ausgang machen</translation>
    </message>
    <message>
        <source>The selected value becomes an output too</source>
        <translation>Der ausgewählte Wert wird auch ein Ausgang</translation>
    </message>
    <message>
        <source>Connect it to an input …</source>
        <translation>Mit einem Eingang verbinden …</translation>
    </message>
    <message>
        <source>Let an input of a node read this value</source>
        <translation>Einen Eingang eines Knotens diesen Wert lesen lassen</translation>
    </message>
    <message>
        <source>Disconnect an input …</source>
        <translation>Eingang trennen …</translation>
    </message>
    <message>
        <source>Leave out an input of the node that is optional</source>
        <translation>Einen Eingang des Knotens weglassen, der nicht nötig ist</translation>
    </message>
    <message>
        <source>Make its constant an input</source>
        <translation>Seine Konstante zum Eingang machen</translation>
    </message>
    <message>
        <source>The constant that the node reads becomes an input, with its value as default</source>
        <translation>Die Konstante, die der Knoten liest, wird ein Eingang mit ihrem Wert als Vorgabe</translation>
    </message>
    <message>
        <source>Replace a weight …</source>
        <translation>Gewicht ersetzen …</translation>
    </message>
    <message>
        <source>Give a constant the values of an .npy file</source>
        <translation>Einer Konstanten die Werte einer .npy-Datei geben</translation>
    </message>
    <message>
        <source>Transpose a weight …</source>
        <translation>Gewicht transponieren …</translation>
    </message>
    <message>
        <source>Store a constant with other axes first</source>
        <translation>Eine Konstante mit anderer Folge der Achsen speichern</translation>
    </message>
    <message>
        <source>Cast a weight …</source>
        <translation>Gewicht umwandeln …</translation>
    </message>
    <message>
        <source>Store a constant in another element type</source>
        <translation>Eine Konstante in einem anderen Elementtyp speichern</translation>
    </message>
    <message>
        <source>Remove the output</source>
        <translation>Ausgang entfernen</translation>
    </message>
    <message>
        <source>Remove the output, and the nodes that only it needed</source>
        <translation>Den Ausgang entfernen und die Knoten, die nur er brauchte</translation>
    </message>
    <message>
        <source>Remove the input</source>
        <translation>Eingang entfernen</translation>
    </message>
    <message>
        <source>Remove an input that nothing reads</source>
        <translation>Einen Eingang entfernen, den nichts liest</translation>
    </message>
    <message>
        <source>Make it a constant …</source>
        <translation>Zur Konstanten machen …</translation>
    </message>
    <message>
        <source>Give the input a value that stays</source>
        <translation>Dem Eingang einen festen Wert geben</translation>
    </message>
    <message>
        <source>Change the type of the input …</source>
        <translation>Typ des Eingangs ändern …</translation>
    </message>
    <message>
        <source>Another element type or other sizes</source>
        <translation>Ein anderer Elementtyp oder andere Größen</translation>
    </message>
    <message>
        <source>Change the type of the output …</source>
        <translation>Typ des Ausgangs ändern …</translation>
    </message>
    <message>
        <source>Free a dimension …</source>
        <translation>Dimension freigeben …</translation>
    </message>
    <message>
        <source>Give a fixed size of the input a name</source>
        <translation>Einer festen Größe des Eingangs einen Namen geben</translation>
    </message>
    <message>
        <source>Change the order …</source>
        <translation>Reihenfolge ändern …</translation>
    </message>
    <message>
        <source>Bring inputs or outputs of the model into another order</source>
        <translation>Ein- oder Ausgänge des Modells in eine andere Reihenfolge bringen</translation>
    </message>
    <message>
        <source>Keep only the selected nodes</source>
        <translation>Nur die ausgewählten Knoten behalten</translation>
    </message>
    <message>
        <source>Remove all other nodes; what the selected ones read becomes inputs</source>
        <translation>Alle anderen Knoten entfernen; was die ausgewählten lesen, wird zu Eingängen</translation>
    </message>
    <message>
        <source>Split the model here …</source>
        <translation>Das Modell hier teilen …</translation>
    </message>
    <message>
        <source>Two files: what computes this value, and what reads it</source>
        <translation>Zwei Dateien: was diesen Wert berechnet und was ihn liest</translation>
    </message>
    <message>
        <source>Join another model …</source>
        <translation>Ein anderes Modell anfügen …</translation>
    </message>
    <message>
        <source>Put the model of a file behind this one</source>
        <translation>Das Modell einer Datei hinter dieses setzen</translation>
    </message>
    <message>
        <source>Set metadata …</source>
        <translation>Metadaten setzen …</translation>
    </message>
    <message>
        <source>Set an entry of the metadata that the file has</source>
        <translation>Einen Eintrag der Metadaten der Datei setzen</translation>
    </message>
    <message>
        <source>Apply rules …</source>
        <translation>Regeln anwenden …</translation>
    </message>
    <message>
        <source>Apply the rewriting rules of a file</source>
        <translation>Die Umformungsregeln einer Datei anwenden</translation>
    </message>
    <message>
        <source>Take bytes …</source>
        <translation>Bytes annehmen …</translation>
    </message>
    <message>
        <source>The input takes bytes, which are normalized inside</source>
        <translation>Der Eingang nimmt Bytes an, die innen normalisiert werden</translation>
    </message>
    <message>
        <source>Take channels last or first …</source>
        <translation>Kanäle hinten oder vorn annehmen …</translation>
    </message>
    <message>
        <source>The input takes its channels in another place</source>
        <translation>Der Eingang nimmt seine Kanäle an anderer Stelle an</translation>
    </message>
    <message>
        <source>Take texts …</source>
        <translation>Texte annehmen …</translation>
    </message>
    <message>
        <source>The input of ids takes texts, whose words are looked up inside</source>
        <translation>Der Eingang für Nummern nimmt Texte an, deren Wörter im Modell nachgeschlagen werden</translation>
    </message>
    <message>
        <source>Take pictures of any size</source>
        <translation>Bilder jeder Größe annehmen</translation>
    </message>
    <message>
        <source>The input takes pictures of any size, which are resized inside</source>
        <translation>Der Eingang nimmt Bilder jeder Größe an, die innen skaliert werden</translation>
    </message>
    <message>
        <source>Give probabilities</source>
        <translation>Wahrscheinlichkeiten ausgeben</translation>
    </message>
    <message>
        <source>The output gives its Softmax along the last axis</source>
        <translation>Der Ausgang gibt seinen Softmax entlang der letzten Achse aus</translation>
    </message>
    <message>
        <source>Give the highest values …</source>
        <translation>Die höchsten Werte ausgeben …</translation>
    </message>
    <message>
        <source>The output gives its highest values, a second one where they stood</source>
        <translation>Der Ausgang gibt seine höchsten Werte aus, ein zweiter, wo sie standen</translation>
    </message>
    <message>
        <source>Choose boxes …</source>
        <translation>Rahmen auswählen …</translation>
    </message>
    <message>
        <source>A new output gives the boxes that NonMaxSuppression keeps</source>
        <translation>Ein neuer Ausgang gibt die Rahmen aus, die NonMaxSuppression behält</translation>
    </message>
    <message>
        <source>Give the selected nodes other names</source>
        <translation>Den ausgewählten Knoten andere Namen geben</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TargetsDialog</name>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Instruction set</source>
        <translation>Befehlssatz</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Lapidary there</source>
        <translation>Lapidary dort</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>Cha&amp;nge</source>
        <translation>Ä&amp;ndern</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Ziele</translation>
    </message>
    <message>
        <source>A target is another computer on which models are run and measured. It is reached by ssh with your keys; you are not asked for a password.</source>
        <translation>Ein Ziel ist ein anderer Rechner, auf dem Modelle laufen und gemessen werden. Er wird über ssh mit Ihren Schlüsseln erreicht; Sie werden nicht nach einem Kennwort gefragt.</translation>
    </message>
    <message>
        <source>What the target says of itself</source>
        <translation>Was das Ziel von sich sagt</translation>
    </message>
    <message>
        <source>Progress of the test</source>
        <translation>Fortschritt der Prüfung</translation>
    </message>
    <message>
        <source>user@host, or user@host:folder</source>
        <translation>benutzer@rechner oder benutzer@rechner:ordner</translation>
    </message>
    <message>
        <source>As ssh takes it: a name of its configuration, a host, or user@host. A folder behind a colon is where programs and models are kept there; otherwise ~/.cache/lapidary.</source>
        <translation>Wie ssh es nimmt: ein Name seiner Konfiguration, ein Rechner oder benutzer@rechner. Ein Ordner hinter einem Doppelpunkt nimmt dort Programme und Modelle auf; sonst ~/.cache/lapidary.</translation>
    </message>
    <message>
        <source>Add what is typed to the list, and test it</source>
        <translation>Das Eingetippte zur Liste hinzufügen und prüfen</translation>
    </message>
    <message>
        <source>Give the chosen target the address that is typed</source>
        <translation>Dem gewählten Ziel die eingetippte Adresse geben</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>&amp;Rechner</translation>
    </message>
    <message>
        <source>Cancel the &amp;test</source>
        <translation>Prüfung a&amp;bbrechen</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>Type a host above and press Add. F1 says how to prepare it.</source>
        <translation>Tippen Sie oben einen Rechner ein und drücken Sie „Hinzufügen“. F1 sagt, wie er vorbereitet wird.</translation>
    </message>
    <message>
        <source>Testing: %1</source>
        <translation>Prüfung: %1</translation>
    </message>
    <message>
        <source>It was not reached yet.</source>
        <translation>Es wurde noch nicht erreicht.</translation>
    </message>
    <message>
        <source>The open model runs here.</source>
        <translation>Das geöffnete Modell läuft hier.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TasksPanel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>No task has been started yet. Loading, running and saving appear here, each with progress and Cancel.</source>
        <translation>Noch wurde keine Aufgabe gestartet. Laden, Ausführen und Speichern erscheinen hier, jeweils mit Fortschritt und Abbrechen.</translation>
    </message>
    <message>
        <source>Progress of %1</source>
        <translation>Fortschritt von %1</translation>
    </message>
    <message>
        <source>Cancel this task</source>
        <translation>Diese Aufgabe abbrechen</translation>
    </message>
    <message>
        <source>Cancel %1</source>
        <translation>%1 abbrechen</translation>
    </message>
    <message>
        <source>cancelling …</source>
        <translation>wird abgebrochen …</translation>
    </message>
    <message>
        <source>cancelled after %1</source>
        <translation>abgebrochen nach %1</translation>
    </message>
    <message>
        <source>failed after %1: %2</source>
        <translation>fehlgeschlagen nach %1: %2</translation>
    </message>
    <message>
        <source>done in %1</source>
        <translation>fertig in %1</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Copy %1 as a command</source>
        <translation>%1 als Befehl kopieren</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TensorTable</name>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>working memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>the caller (graph output)</source>
        <translation>der Aufrufer (Graphausgabe)</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Bytes</translation>
    </message>
    <message>
        <source>%1 of what is in use at this step</source>
        <translation>%1 dessen, was in diesem Schritt in Gebrauch ist</translation>
    </message>
    <message>
        <source>Steps from here to the last one that reads it</source>
        <translation>Schritte von hier bis zum letzten, der ihn liest</translation>
    </message>
    <message>
        <source>Tensors alive at the cursor</source>
        <translation>Am Zeiger lebende Tensoren</translation>
    </message>
    <message>
        <source>Lifetimes of tensors</source>
        <translation>Lebensdauern der Tensoren</translation>
    </message>
    <message>
        <source>Filter by tensor, type or node</source>
        <translation>Nach Tensor, Typ oder Knoten filtern</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>Tensoren filtern</translation>
    </message>
    <message>
        <source>Nothing is alive at this step.</source>
        <translation>In diesem Schritt lebt nichts.</translation>
    </message>
    <message>
        <source>No tensor matches.</source>
        <translation>Kein Tensor passt.</translation>
    </message>
    <message>
        <source>tensors: %1</source>
        <translation>Tensoren: %1</translation>
    </message>
    <message>
        <source>tensors: %1 of %2</source>
        <translation>Tensoren: %1 von %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TimelineCounterView</name>
    <message>
        <source>Counters over time</source>
        <translation>Zähler über die Zeit</translation>
    </message>
    <message>
        <source>%1: at most %2</source>
        <translation>%1: höchstens %2</translation>
    </message>
    <message>
        <source>Threads busy</source>
        <translation>Threads aktiv</translation>
    </message>
    <message>
        <source>Data moved</source>
        <translation>Daten bewegt</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>more threads than are counted here</source>
        <translation>mehr Threads, als hier gezählt werden</translation>
    </message>
    <message>
        <source>Threads in kernels at the same time; activations alive by the memory plan, or as they were allocated where there is none; what kernels read and write by their shapes, whether it comes from memory or from caches</source>
        <translation>Threads, die gleichzeitig in Kerneln sind; Aktivierungen, die nach dem Speicherplan lebendig sind, oder wie sie angefordert wurden, wo es keinen gibt; was Kernel nach ihren Formen lesen und schreiben, ob aus dem Speicher oder aus Caches</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>%1: for 99 % of the time at most %2</source>
        <translation>%1: während 99 % der Zeit höchstens %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TimelineSearchBar</name>
    <message>
        <source>Find nodes and operators in the timeline</source>
        <translation>Knoten und Operatoren in der Zeitleiste suchen</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Search the timeline</source>
        <translation>Die Zeitleiste durchsuchen</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>%1 of %2, nodes: %3</source>
        <translation>%1 von %2, Knoten: %3</translation>
    </message>
    <message>
        <source>Spans found: %1, nodes: %2</source>
        <translation>Spannen gefunden: %1, Knoten: %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TimelineView</name>
    <message>
        <source>Nothing was recorded.</source>
        <translation>Nichts wurde aufgezeichnet.</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>Thread</translation>
    </message>
    <message>
        <source>0 (main)</source>
        <translation>0 (Haupt)</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>%1, from %2</source>
        <translation>%1, von %2</translation>
    </message>
    <message>
        <source>kernel %1</source>
        <translation>Kernel %1</translation>
    </message>
    <message>
        <source>%1 % busy</source>
        <translation>%1 % beschäftigt</translation>
    </message>
    <message>
        <source> · what thread %1 did of it</source>
        <translation> · was Thread %1 davon tat</translation>
    </message>
    <message>
        <source>ran on the reference kernel: %1</source>
        <translation>lief auf dem Referenzkernel: %1</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Arrow keys walk from span to span, W and S zoom, A and D move, F fits, M selects the time of a span, Return shows the node in the graph. The node table lists the same figures.</source>
        <translation>Pfeiltasten gehen von Spanne zu Spanne, W und S zoomen, A und D verschieben, F passt ein, M wählt die Zeit einer Spanne aus, Enter zeigt den Knoten im Graphen. Die Knotentabelle führt dieselben Werte auf.</translation>
    </message>
    <message>
        <source>%1: occurrence %2 of %3</source>
        <translation>%1: Vorkommen %2 von %3</translation>
    </message>
    <message>
        <source>Show in graph</source>
        <translation>Im Graphen zeigen</translation>
    </message>
    <message>
        <source>Zoom to this span</source>
        <translation>Auf diese Spanne zoomen</translation>
    </message>
    <message>
        <source>Select its time</source>
        <translation>Ihre Zeit auswählen</translation>
    </message>
    <message>
        <source>Only nodes of %1</source>
        <translation>Nur Knoten von %1</translation>
    </message>
    <message>
        <source>Next occurrence</source>
        <translation>Nächstes Vorkommen</translation>
    </message>
    <message>
        <source>Previous occurrence</source>
        <translation>Voriges Vorkommen</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Name kopieren</translation>
    </message>
    <message>
        <source>Whole recording</source>
        <translation>Ganze Aufzeichnung</translation>
    </message>
    <message>
        <source>One typical run</source>
        <translation>Ein typischer Lauf</translation>
    </message>
    <message>
        <source>A click pins this thread to the top (P)</source>
        <translation>Ein Klick heftet diesen Thread oben an (P)</translation>
    </message>
    <message>
        <source>There is no room to pin another thread.</source>
        <translation>Es ist kein Platz, noch einen Thread anzuheften.</translation>
    </message>
    <message>
        <source>Pin its thread to the top</source>
        <translation>Seinen Thread oben anheften</translation>
    </message>
    <message>
        <source>Unpin its thread</source>
        <translation>Seinen Thread lösen</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TokenTimeBars</name>
    <message>
        <source>Where a token&apos;s time goes</source>
        <translation>Wohin die Zeit eines Tokens geht</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Tokens</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>%1: %2. %3</source>
        <translation>%1: %2. %3</translation>
    </message>
    <message>
        <source>Some tokens are recorded while others come: their bars appear here.</source>
        <translation>Einige Tokens werden aufgezeichnet, während andere kommen: ihre Balken erscheinen hier.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TokenView</name>
    <message>
        <source>Prompt and tokens</source>
        <translation>Prompt und Tokens</translation>
    </message>
    <message>
        <source>Tokens appear here.</source>
        <translation>Hier erscheinen Tokens.</translation>
    </message>
    <message>
        <source>B would have chosen %1</source>
        <translation>B hätte %1 gewählt</translation>
    </message>
</context>
<context>
    <name>lapidary::views::Tour</name>
    <message>
        <source>Press this card: it builds a small BERT with random weights.</source>
        <translation>Drücken Sie diese Karte: sie baut ein kleines BERT mit zufälligen Gewichten.</translation>
    </message>
    <message>
        <source>This is the model, its blocks folded into groups. Click a box: the Inspector says what it is, a double click opens a group.</source>
        <translation>Das ist das Modell, seine Blöcke sind zu Gruppen gefaltet. Klicken Sie auf einen Kasten: der Inspektor sagt, was es ist; ein Doppelklick öffnet eine Gruppe.</translation>
    </message>
    <message>
        <source>What can be made faster? Press Optimize.</source>
        <translation>Was geht schneller? Drücken Sie Optimieren.</translation>
    </message>
    <message>
        <source>Each card is a level of optimization with what it does to the model. Press this one: all pages are of it then, as the toolbar says.</source>
        <translation>Jede Karte ist eine Optimierungsstufe mit dem, was sie aus dem Modell macht. Drücken Sie diese: alle Seiten gelten dann ihr, wie die Werkzeugleiste sagt.</translation>
    </message>
    <message>
        <source>Now run it: press Run, or F5.</source>
        <translation>Führen Sie es nun aus: drücken Sie Ausführen oder F5.</translation>
    </message>
    <message>
        <source>The headline says where the time goes; the bars, the timeline and the tables below show it. That is the way round. F1 explains every page, Ctrl+F finds everything.</source>
        <translation>Die Überschrift sagt, wohin die Zeit geht; Balken, Zeitachse und Tabellen darunter zeigen es. Das war der Rundgang. F1 erklärt jede Seite, Strg+F findet alles.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TradeOffPanel</name>
    <message>
        <source>Latency against throughput</source>
        <translation>Latenz gegen Durchsatz</translation>
    </message>
    <message>
        <source>median latency, ms</source>
        <translation>Latenz im Median, ms</translation>
    </message>
    <message>
        <source>inferences per second</source>
        <translation>Inferenzen pro Sekunde</translation>
    </message>
    <message>
        <source>Each setting is a point here as soon as it is measured.</source>
        <translation>Jede Einstellung ist hier ein Punkt, sobald sie gemessen ist.</translation>
    </message>
    <message>
        <source>Which setting answers most within a limit? Press Start to find out.</source>
        <translation>Welche Einstellung schafft am meisten innerhalb einer Grenze? Start drücken, um es herauszufinden.</translation>
    </message>
    <message>
        <source>Within %1, %2 gives the most inferences: %3 at %4.</source>
        <translation>Innerhalb von %1 schafft die meisten Inferenzen: %2, nämlich %3 bei %4.</translation>
    </message>
    <message>
        <source>None takes at most %1; the fastest, %2, takes %3.</source>
        <translation>Keine braucht höchstens %1; die schnellste, %2, braucht %3.</translation>
    </message>
    <message>
        <source>★ recommended</source>
        <translation>★ empfohlen</translation>
    </message>
    <message>
        <source>The code of the recommended setting appears here.</source>
        <translation>Hier erscheint der Code der empfohlenen Einstellung.</translation>
    </message>
    <message>
        <source>ONNX Runtime needs this variant as a file: export it. The Compare page has its code.</source>
        <translation>ONNX Runtime braucht diese Variante als Datei: bitte exportieren. Den Code hat die Seite Vergleich.</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>On the line: %1 of %2 settings. No other setting beats them in both latency and throughput.</source>
        <translation>Auf der Linie: %1 von %2 Einstellungen. Keine andere Einstellung ist in Latenz und Durchsatz besser.</translation>
    </message>
    <message>
        <source>median latency, µs</source>
        <translation>Medianlatenz, µs</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TunePage</name>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell ist offen</translation>
    </message>
    <message>
        <source>Open a model or take a sample from the start page. Here you will see how fast it runs with which threads and batches.</source>
        <translation>Ein Modell öffnen oder ein Beispiel von der Startseite nehmen. Hier zeigt sich, wie schnell es mit welchen Threads und Batches läuft.</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>This setting cannot be measured</source>
        <translation>Diese Einstellung lässt sich nicht messen</translation>
    </message>
    <message>
        <source>Measuring failed</source>
        <translation>Das Messen schlug fehl</translation>
    </message>
    <message>
        <source>use %1</source>
        <translation>%1 verwenden</translation>
    </message>
    <message>
        <source>Runs, exports and snippets now use %1.</source>
        <translation>Läufe, Exporte und Codebeispiele verwenden jetzt %1.</translation>
    </message>
    <message>
        <source>Time per run by operator, %1</source>
        <translation>Zeit je Lauf nach Operator, %1</translation>
    </message>
    <message>
        <source>Time per run by operator</source>
        <translation>Zeit je Lauf nach Operator</translation>
    </message>
    <message>
        <source>Save the figures</source>
        <translation>Werte speichern</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>%1 tuning.%2</source>
        <translation>%1 Abstimmung.%2</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>The figures were not saved</source>
        <translation>Die Werte wurden nicht gespeichert</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>Abstimmen</translation>
    </message>
    <message>
        <source>Measure settings</source>
        <translation>Einstellungen messen</translation>
    </message>
    <message>
        <source>Measure the queue, or everything not measured yet</source>
        <translation>Die Schlange messen, oder alles, was noch nicht gemessen ist</translation>
    </message>
    <message>
        <source>Pause measuring</source>
        <translation>Messen anhalten</translation>
    </message>
    <message>
        <source>Pause or go on</source>
        <translation>Anhalten oder weitermachen</translation>
    </message>
    <message>
        <source>Verify the best 3</source>
        <translation>Die besten 3 nachprüfen</translation>
    </message>
    <message>
        <source>Measure the best settings in turn, longer</source>
        <translation>Die besten Einstellungen abwechselnd und länger messen</translation>
    </message>
    <message>
        <source>Apply the recommended setting</source>
        <translation>Die empfohlene Einstellung übernehmen</translation>
    </message>
    <message>
        <source>Run, export and write code with it from now on</source>
        <translation>Von jetzt an damit ausführen, exportieren und Code schreiben</translation>
    </message>
    <message>
        <source>Copy the sweep command</source>
        <translation>Sweep-Befehl kopieren</translation>
    </message>
    <message>
        <source>Copy the lapidary-cli command that measures these settings</source>
        <translation>Den lapidary-cli-Befehl kopieren, der diese Einstellungen misst</translation>
    </message>
    <message>
        <source>Save figures as CSV …</source>
        <translation>Werte als CSV speichern …</translation>
    </message>
    <message>
        <source>Write all settings and their figures as comma-separated values</source>
        <translation>Alle Einstellungen und ihre Werte kommagetrennt schreiben</translation>
    </message>
    <message>
        <source>Save figures as JSON …</source>
        <translation>Werte als JSON speichern …</translation>
    </message>
    <message>
        <source>Write everything that was measured, each sample too</source>
        <translation>Alles Gemessene schreiben, jede einzelne Probe</translation>
    </message>
    <message>
        <source>Save the heat map as a picture …</source>
        <translation>Heatmap als Bild speichern …</translation>
    </message>
    <message>
        <source>Write the heat map as PNG</source>
        <translation>Die Heatmap als PNG schreiben</translation>
    </message>
    <message>
        <source>Forget the figures</source>
        <translation>Werte vergessen</translation>
    </message>
    <message>
        <source>Drop what was measured of this model</source>
        <translation>Verwerfen, was zu diesem Modell gemessen wurde</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Sho&amp;w</source>
        <translation>&amp;Zeigen</translation>
    </message>
    <message>
        <source>What the heat map shows</source>
        <translation>Was die Heatmap zeigt</translation>
    </message>
    <message>
        <source>Acro&amp;ss</source>
        <translation>&amp;Quer</translation>
    </message>
    <message>
        <source>What differs from column to column</source>
        <translation>Was sich von Spalte zu Spalte unterscheidet</translation>
    </message>
    <message>
        <source>Dow&amp;n</source>
        <translation>&amp;Abwärts</translation>
    </message>
    <message>
        <source>What differs from row to row</source>
        <translation>Was sich von Zeile zu Zeile unterscheidet</translation>
    </message>
    <message>
        <source>Res&amp;t</source>
        <translation>&amp;Rest</translation>
    </message>
    <message>
        <source>Where settings differ in more than two things: one choice of the rest, or of all the best</source>
        <translation>Wo sich Einstellungen in mehr als zwei Dingen unterscheiden: eine Wahl des Rests oder von allen die beste</translation>
    </message>
    <message>
        <source>Copy and save</source>
        <translation>Kopieren und speichern</translation>
    </message>
    <message>
        <source>Copy the command, save figures or picture</source>
        <translation>Befehl kopieren, Werte oder Bild speichern</translation>
    </message>
    <message>
        <source>More about the settings</source>
        <translation>Mehr zu den Einstellungen</translation>
    </message>
    <message>
        <source>Speed-&amp;up</source>
        <translation>B&amp;eschleunigung</translation>
    </message>
    <message>
        <source>&amp;Operators</source>
        <translation>&amp;Operatoren</translation>
    </message>
    <message>
        <source>&amp;All settings</source>
        <translation>A&amp;lle Einstellungen</translation>
    </message>
    <message>
        <source>&amp;Queue</source>
        <translation>&amp;Schlange</translation>
    </message>
    <message>
        <source>best of all</source>
        <translation>beste von allen</translation>
    </message>
    <message>
        <source>Ca&amp;llers</source>
        <translation>Auf&amp;rufer</translation>
    </message>
    <message>
        <source>★ recommended · hatched: as fast · ?: not known · ✓ verified · ⚠ unsteady · dashed: not measured</source>
        <translation>★ empfohlen · schraffiert: so schnell · ?: nicht bekannt · ✓ bestätigt · ⚠ unruhig · gestrichelt: nicht gemessen</translation>
    </message>
    <message>
        <source>These are whole runs. Tokens of a decoder have threads of their own choice: &lt;a href=&quot;generate/variants&quot;&gt;tokens a second by threads&lt;/a&gt;, on the Generate page.</source>
        <translation>Das sind ganze Läufe. Tokens eines Decoders haben ihre eigene Wahl der Threads: &lt;a href=&quot;generate/variants&quot;&gt;Tokens je Sekunde nach Threads&lt;/a&gt;, auf der Seite Erzeugen.</translation>
    </message>
    <message>
        <source>Tokens a second</source>
        <translation>Tokens je Sekunde</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Front&amp;ier</source>
        <translation>&amp;Front</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>A&amp;lle</translation>
    </message>
    <message>
        <source>&amp;Ops</source>
        <translation>&amp;Ops</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TypeField</name>
    <message>
        <source>Element type</source>
        <translation>Elementtyp</translation>
    </message>
    <message>
        <source>%1: dimensions</source>
        <translation>%1: Dimensionen</translation>
    </message>
    <message>
        <source>batch, 3, 224, 224; ? is not known; empty: any</source>
        <translation>batch, 3, 224, 224; ? ist unbekannt; leer: beliebig</translation>
    </message>
</context>
<context>
    <name>lapidary::views::UnmatchedTable</name>
    <message>
        <source>Kernels that are no node of the open model</source>
        <translation>Kernel, die kein Knoten des geöffneten Modells sind</translation>
    </message>
    <message>
        <source>Every kernel is a node of the open model.</source>
        <translation>Jeder Kernel ist ein Knoten des geöffneten Modells.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ValueViewer</name>
    <message>
        <source>Select a node or a value of the graph to look inside.</source>
        <translation>Wählen Sie einen Knoten oder einen Wert des Graphen, um hineinzusehen.</translation>
    </message>
    <message>
        <source>Look inside %1</source>
        <translation>In %1 hineinsehen</translation>
    </message>
    <message>
        <source>Running the model with %1 …</source>
        <translation>Das Modell läuft mit %1 …</translation>
    </message>
    <message>
        <source>The first %1 of %2 columns are shown.</source>
        <translation>Gezeigt werden die ersten %1 von %2 Spalten.</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>Kopf %1</translation>
    </message>
    <message>
        <source>map %1</source>
        <translation>Karte %1</translation>
    </message>
    <message>
        <source>Computed with %1, one kernel for each node.</source>
        <translation>Berechnet mit %1, ein Kernel für jeden Knoten.</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… und %n weiterer</numerusform>
            <numerusform>… und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Save the value</source>
        <translation>Den Wert speichern</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy)</source>
        <translation>NumPy-Felder (*.npy)</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Running the model to save the value …</source>
        <translation>Das Modell läuft, um den Wert zu speichern …</translation>
    </message>
    <message>
        <source>&amp;Follow the selection</source>
        <translation>Der Auswahl &amp;folgen</translation>
    </message>
    <message>
        <source>Compute &amp;again</source>
        <translation>&amp;Erneut berechnen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Look inside</source>
        <translation>Hineinsehen</translation>
    </message>
    <message>
        <source>A value of the model as it is in a run with the inputs of the Run page: its figures, how its elements are distributed, and the elements themselves.</source>
        <translation>Ein Wert des Modells, wie er in einem Lauf mit den Eingaben der Seite Lauf ist: seine Kennzahlen, die Verteilung seiner Elemente und die Elemente selbst.</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>What the selected node writes, and what it reads</source>
        <translation>Was der gewählte Knoten schreibt, und was er liest</translation>
    </message>
    <message>
        <source>Iteration or item</source>
        <translation>Durchlauf oder Eintrag</translation>
    </message>
    <message>
        <source>The iteration of the body, or the item of the sequence</source>
        <translation>Der Durchlauf des Rumpfes oder der Eintrag der Folge</translation>
    </message>
    <message>
        <source>Look at whatever is selected next, in the graph or elsewhere; each look runs the model once</source>
        <translation>Ansehen, was als Nächstes gewählt wird, im Graphen oder anderswo; jeder Blick führt das Modell einmal aus</translation>
    </message>
    <message>
        <source>Elements of the value</source>
        <translation>Elemente des Wertes</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>Run the model again with the inputs as they are now</source>
        <translation>Das Modell erneut mit den jetzigen Eingaben ausführen</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>Den Lauf anhalten</translation>
    </message>
    <message>
        <source>query ↓ key →</source>
        <translation>Anfrage ↓ Schlüssel →</translation>
    </message>
    <message>
        <source>Part: %1</source>
        <translation>Teil: %1</translation>
    </message>
    <message>
        <source>The part as a picture</source>
        <translation>Der Teil als Bild</translation>
    </message>
    <message>
        <source>Whole value</source>
        <translation>Ganzer Wert</translation>
    </message>
    <message>
        <source>&amp;Save …</source>
        <translation>&amp;Speichern …</translation>
    </message>
    <message>
        <source>Write the whole value into a file for NumPy, or all values of the list into one</source>
        <translation>Den ganzen Wert in eine Datei für NumPy schreiben, oder alle Werte der Liste in eine</translation>
    </message>
    <message>
        <source>Elements and runs</source>
        <translation>Elemente und Läufe</translation>
    </message>
    <message>
        <source>&amp;Elements</source>
        <translation>E&amp;lemente</translation>
    </message>
    <message>
        <source>Several &amp;runs</source>
        <translation>Mehrere Lä&amp;ufe</translation>
    </message>
    <message>
        <source>All values of the list in one file (*.npz)</source>
        <translation>Alle Werte der Liste in einer Datei (*.npz)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::VariantChip</name>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>The variant that runs, plans, sweeps and exports are of</source>
        <translation>Die Variante, der Läufe, Pläne, Messreihen und Exporte gelten</translation>
    </message>
    <message>
        <source>Variant in force</source>
        <translation>Variante in Kraft</translation>
    </message>
    <message>
        <source>%1 is in force: Graph, Run, Memory and Tune are of it.</source>
        <translation>%1 ist in Kraft: Graph, Lauf, Speicher und Abstimmen gelten ihr.</translation>
    </message>
    <message>
        <source>Median of %1 runs (threads: %2); 95 % interval %3 to %4.</source>
        <translation>Median von %1 Läufen (Threads: %2); 95-%-Intervall %3 bis %4.</translation>
    </message>
    <message>
        <source>Not measured yet with these sizes and threads: press F5.</source>
        <translation>Mit diesen Größen und Threads noch nicht gemessen: F5 drücken.</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell ist geöffnet</translation>
    </message>
    <message>
        <source>%1 (not made yet)</source>
        <translation>%1 (noch nicht erzeugt)</translation>
    </message>
    <message>
        <source>Compare as &amp;A</source>
        <translation>Als &amp;A vergleichen</translation>
    </message>
    <message>
        <source>Compare as &amp;B</source>
        <translation>Als &amp;B vergleichen</translation>
    </message>
    <message>
        <source>Original · not valid</source>
        <translation>Original · nicht gültig</translation>
    </message>
    <message>
        <source>put %1 in force</source>
        <translation>%1 in Kraft setzen</translation>
    </message>
    <message>
        <source>Median of %1 profiled runs (threads: %2); 95 % interval %3 to %4.</source>
        <translation>Median von %1 profilierten Läufen (Threads: %2); 95-%-Intervall %3 bis %4.</translation>
    </message>
    <message>
        <source>%1 is in force: Graph shows it as its file has it; Run, Memory and Tune are of it at level %2, as in every session of ONNX Runtime.</source>
        <translation>%1 gilt: Graph zeigt es, wie es in der Datei steht; Lauf, Speicher und Abstimmung zeigen es auf Stufe %2, wie in jeder Sitzung von ONNX Runtime.</translation>
    </message>
    <message>
        <source>%1 · not valid</source>
        <translation>%1 · nicht gültig</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::VariantPanel</name>
    <message>
        <source>Compare all</source>
        <translation>Alle vergleichen</translation>
    </message>
    <message>
        <source>Variants side by side</source>
        <translation>Varianten nebeneinander</translation>
    </message>
    <message>
        <source>The variants could not be compared</source>
        <translation>Die Varianten konnten nicht verglichen werden</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>The variants that are columns of the table: two to eight</source>
        <translation>Die Varianten, die Spalten der Tabelle sind: zwei bis acht</translation>
    </message>
    <message>
        <source>In detail</source>
        <translation>Im Einzelnen</translation>
    </message>
    <message>
        <source>Put the first column into slot A and another one into slot B, and show where they differ</source>
        <translation>Die erste Spalte als A und eine andere als B nehmen und zeigen, worin sie sich unterscheiden</translation>
    </message>
    <message>
        <source>Measure all columns in turn, and compare their outputs with those of the first</source>
        <translation>Alle Spalten abwechselnd messen und ihre Ausgaben mit denen der ersten vergleichen</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Two variants of the open model are needed. The menu Variants makes the levels; the pages Optimize and Quantize make others.</source>
        <translation>Zwei Varianten des offenen Modells sind nötig. Das Menü Varianten erzeugt die Stufen; die Seiten Optimieren und Quantisieren erzeugen andere.</translation>
    </message>
    <message>
        <source>compare %1 with %2</source>
        <translation>%1 mit %2 vergleichen</translation>
    </message>
    <message>
        <source>Make all levels</source>
        <translation>Alle Stufen erzeugen</translation>
    </message>
    <message>
        <source>Measured for this table, apart from the cards above, with %1, threads: %2.</source>
        <translation>Für diese Tabelle gemessen, unabhängig von den Karten oben, mit %1, Threads: %2.</translation>
    </message>
    <message>
        <source>It ran on %1.</source>
        <translation>Gelaufen auf %1.</translation>
    </message>
    <message>
        <source>The run settings have changed since.</source>
        <translation>Die Laufeinstellungen wurden seither geändert.</translation>
    </message>
    <message>
        <source>Press Compare all for times and accuracy. %1 is what the others are compared with.</source>
        <translation>„Alle vergleichen“ misst Zeiten und Genauigkeit. Verglichen wird mit %1.</translation>
    </message>
    <message>
        <source>Comparing the variants …</source>
        <translation>Die Varianten werden verglichen …</translation>
    </message>
    <message>
        <source>It ended early and is not complete.</source>
        <translation>Der Vergleich endete vorzeitig und ist nicht vollständig.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::VariantsPanel</name>
    <message>
        <source>Variants of the open model</source>
        <translation>Varianten des geöffneten Modells</translation>
    </message>
    <message>
        <source>The model as it was opened</source>
        <translation>Das Modell, wie es geöffnet wurde</translation>
    </message>
    <message>
        <source>%1
Recipe: %2</source>
        <translation>%1
Rezept: %2</translation>
    </message>
    <message>
        <source>Nodes, those of subgraphs counted</source>
        <translation>Knoten, die von Teilgraphen mitgezählt</translation>
    </message>
    <message>
        <source>Bytes of all constants</source>
        <translation>Bytes aller Konstanten</translation>
    </message>
    <message>
        <source>Bytes of all constants as this variant runs: after its level, which may fold some</source>
        <translation>Bytes aller Konstanten, wie diese Variante läuft: nach ihrer Stufe, die vielleicht einige faltet</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Compare as A	A</source>
        <translation>Als A vergleichen	A</translation>
    </message>
    <message>
        <source>Compare as B	B</source>
        <translation>Als B vergleichen	B</translation>
    </message>
    <message>
        <source>Copy the recipe</source>
        <translation>Rezept kopieren</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Remove	Del</source>
        <translation>Entfernen	Entf</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>Kein Modell ist offen.</translation>
    </message>
    <message>
        <source>In force: all pages are of it.</source>
        <translation>In Kraft: alle Seiten gelten ihr.</translation>
    </message>
    <message>
        <source>, in force</source>
        <translation>, in Kraft</translation>
    </message>
    <message>
        <source>put %1 in force</source>
        <translation>%1 in Kraft setzen</translation>
    </message>
    <message>
        <source>Put in force	Enter</source>
        <translation>In Kraft setzen	Enter</translation>
    </message>
</context>
<context>
    <name>lapidary::views::VerdictCard</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>fastest – slowest</source>
        <translation>schnellster – langsamster</translation>
    </message>
    <message>
        <source>Spread of the wall time over the profiled runs</source>
        <translation>Streuung der Wandzeit über die Läufe mit Profil</translation>
    </message>
    <message>
        <source>inside kernels</source>
        <translation>in Kerneln</translation>
    </message>
    <message>
        <source>Bytes of constants</source>
        <translation>Bytes der Konstanten</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads that share one operator</source>
        <translation>Threads, die sich einen Operator teilen</translation>
    </message>
    <message>
        <source>of peak</source>
        <translation>der Spitze</translation>
    </message>
    <message>
        <source>How much of the time in kernels this machine would need at its peak: %1. Measured once; each node is compared with arithmetic or with memory, whichever binds it.</source>
        <translation>Wie viel der Zeit in Kerneln diese Maschine an ihrer Spitze bräuchte: %1. Einmal gemessen; jeder Knoten wird mit Arithmetik oder Speicher verglichen, je nachdem, was ihn begrenzt.</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>gewählt</translation>
    </message>
    <message>
        <source>Length of the selected part of the recording; every figure here is of that part</source>
        <translation>Länge des gewählten Teils der Aufzeichnung; jede Zahl hier gilt für diesen Teil</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>Kernels</translation>
    </message>
    <message>
        <source>How many ran in the selected part, whole or in part</source>
        <translation>Wie viele im gewählten Teil liefen, ganz oder zum Teil</translation>
    </message>
    <message>
        <source>What of these kernels lies in the selected part, all threads together</source>
        <translation>Was von diesen Kernels im gewählten Teil liegt, alle Threads zusammen</translation>
    </message>
    <message>
        <source>threads busy</source>
        <translation>Threads beschäftigt</translation>
    </message>
    <message>
        <source>Share of the selected time that the threads spent in kernels</source>
        <translation>Anteil der gewählten Zeit, den die Threads in Kernels verbrachten</translation>
    </message>
    <message>
        <source>sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Of the inputs that it ran on</source>
        <translation>Der Eingaben, mit denen es lief</translation>
    </message>
    <message>
        <source>What goes with it</source>
        <translation>Was dazu gehört</translation>
    </message>
    <message>
        <source>one profiled run</source>
        <translation>ein profilierter Lauf</translation>
    </message>
    <message>
        <source>median of %1 profiled runs</source>
        <translation>Median von %1 profilierten Läufen</translation>
    </message>
    <message>
        <source>unprofiled</source>
        <translation>ohne Profiler</translation>
    </message>
    <message>
        <source>Median of %1 runs without the profiler, as levels and variants are compared by</source>
        <translation>Median von %1 Läufen ohne Profiler, womit Stufen und Varianten verglichen werden</translation>
    </message>
    <message>
        <source>Outputs against recorded ones</source>
        <translation>Ausgaben gegen aufgezeichnete</translation>
    </message>
    <message>
        <source>unprofiled, at %1</source>
        <translation>unbeobachtet, um %1</translation>
    </message>
    <message>
        <source>%1 of the %2 of the typical run; the rest is the walk between kernels and the profiler itself</source>
        <translation>%1 der %2 des typischen Laufs; der Rest ist der Weg zwischen Kerneln und der Profiler selbst</translation>
    </message>
    <message>
        <source>activations held</source>
        <translation>Aktivierungen gehalten</translation>
    </message>
    <message>
        <source>Most bytes held for activations at once, as the run counted them; the Memory page has the process</source>
        <translation>Höchstzahl gleichzeitig für Aktivierungen gehaltener Bytes, wie der Lauf sie zählte; die Seite Speicher hat den Prozess</translation>
    </message>
    <message>
        <source>weights as stored</source>
        <translation>Gewichte wie gespeichert</translation>
    </message>
    <message>
        <source>level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>At which it ran, with what else its recipe says</source>
        <translation>Auf der es lief, mit dem, was sein Rezept sonst sagt</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>The target it ran on</source>
        <translation>Das Ziel, auf dem es lief</translation>
    </message>
    <message>
        <source>instructions per cycle</source>
        <translation>Befehle je Takt</translation>
    </message>
    <message>
        <source>Wall time of the typical run, profiler included: the median of all. Times, shares and totals below are of this run and add up to it. The interval allows for what another measurement would differ by: it may reach a little beyond the fastest and the slowest run.</source>
        <translation>Dauer des typischen Laufs, Profiler eingeschlossen: der Median aller. Zeiten, Anteile und Summen darunter sind von diesem Lauf und ergeben ihn zusammen. Das Intervall berücksichtigt, um wie viel eine weitere Messung abwiche: Es kann etwas über den schnellsten und den langsamsten Lauf hinausreichen.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::WeightFields</name>
    <message>
        <source>Nodes read it transposed</source>
        <translation>Knoten lesen sie transponiert</translation>
    </message>
    <message>
        <source>What to do with it</source>
        <translation>Was damit geschehen soll</translation>
    </message>
    <message>
        <source>Take the values of a file</source>
        <translation>Die Werte einer Datei nehmen</translation>
    </message>
    <message>
        <source>Transpose</source>
        <translation>Transponieren</translation>
    </message>
    <message>
        <source>Cast</source>
        <translation>Umwandeln</translation>
    </message>
    <message>
        <source>Otherwise they get the old order, and results stay</source>
        <translation>Sonst erhalten sie die alte Reihenfolge, und Ergebnisse bleiben</translation>
    </message>
    <message>
        <source>Name a constant.</source>
        <translation>Nennen Sie eine Konstante.</translation>
    </message>
    <message>
        <source>The model has no constant of this name.</source>
        <translation>Das Modell hat keine Konstante dieses Namens.</translation>
    </message>
    <message>
        <source>%1, %2, readers: %3</source>
        <translation>%1, %2, Leser: %3</translation>
    </message>
</context>
<context>
    <name>lapidary::views::WhatIfPanel</name>
    <message>
        <source>&amp;Apply to the run settings</source>
        <translation>In die Laufeinstellungen &amp;übernehmen</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>&amp;Plan memory</source>
        <translation>Speicher &amp;planen</translation>
    </message>
    <message>
        <source>One block, laid out for the shapes of the inputs (enable_mem_pattern)</source>
        <translation>Ein Block, angeordnet für die Formen der Eingaben (enable_mem_pattern)</translation>
    </message>
    <message>
        <source>Ar&amp;ena</source>
        <translation>Ar&amp;ena</translation>
    </message>
    <message>
        <source>What is not planned comes from an arena that grows by powers of two (enable_cpu_mem_arena); off: each value from the heap</source>
        <translation>Was nicht geplant ist, kommt aus einer Arena, die in Zweierpotenzen wächst (enable_cpu_mem_arena); aus: jeder Wert vom Heap</translation>
    </message>
    <message>
        <source>&amp;In place</source>
        <translation>An &amp;Ort und Stelle</translation>
    </message>
    <message>
        <source>Results over inputs that are not read any more, views, Concat in place. Sessions always do: this shows what it saves.</source>
        <translation>Ergebnisse über Eingaben, die niemand mehr liest, Sichten, Concat an Ort und Stelle. Sitzungen tun das immer: Dies zeigt, was es spart.</translation>
    </message>
    <message>
        <source>&amp;Fused steps</source>
        <translation>&amp;Verschmolzene Schritte</translation>
    </message>
    <message>
        <source>Neighbouring nodes in one kernel: what lies between them is never stored</source>
        <translation>Benachbarte Knoten in einem Kernel: Was dazwischen liegt, wird nie gespeichert</translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation>&amp;Threads</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>Kernels take working memory for each thread; auto: one per core</source>
        <translation>Kernel nehmen Arbeitsspeicher je Thread; auto: einer je Kern</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Back to what the run settings say</source>
        <translation>Zurück zu dem, was die Laufeinstellungen sagen</translation>
    </message>
    <message>
        <source>Sizes of free dimensions</source>
        <translation>Größen freier Dimensionen</translation>
    </message>
    <message>
        <source>auto (%1)</source>
        <translation>auto (%1)</translation>
    </message>
    <message>
        <source>Size of dimension %1</source>
        <translation>Größe der Dimension %1</translation>
    </message>
    <message>
        <source>Size of the free dimension; auto takes %1, as generated inputs do</source>
        <translation>Größe der freien Dimension; auto nimmt %1, wie erzeugte Eingaben</translation>
    </message>
    <message>
        <source>off: %1</source>
        <translation>aus: %1</translation>
    </message>
    <message>
        <source>on: %1</source>
        <translation>an: %1</translation>
    </message>
    <message>
        <source>twice as large: %1</source>
        <translation>doppelt so groß: %1</translation>
    </message>
    <message>
        <source>What other settings would take</source>
        <translation>Was andere Einstellungen brauchen würden</translation>
    </message>
    <message>
        <source>Turn a switch or change a size: picture and tables follow. Beside each: what it would change of the process.</source>
        <translation>Einen Schalter umlegen oder eine Größe ändern: Bild und Tabellen folgen. Daneben steht jeweils, was sich am Prozess ändern würde.</translation>
    </message>
</context>
<context>
    <name>lapidary::views::WhatsThis</name>
    <message>
        <source>More in the help</source>
        <translation>Mehr in der Hilfe</translation>
    </message>
</context>
<context>
    <name>lapidary::views::WindowApplication</name>
    <message>
        <source>An exception of an unknown kind.</source>
        <translation>Eine Ausnahme unbekannter Art.</translation>
    </message>
</context>
</TS>
