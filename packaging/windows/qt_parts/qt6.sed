# SPDX-License-Identifier: Apache-2.0
# Sources of QtSvg of Qt 5.15 as Qt 6 wants them: views in place of references to strings, weights of fonts from 100 to
# 900, selectors of style sheets asked for whole, no QMatrix. The order of the lines matters.
s/QStringRef \([A-Za-z]*\)(\([A-Za-z.]*\)\.string(), \2\.position() + \([0-9a-z]*\), \([^;]*\));/QStringView \1 = \2.mid(\3, \4);/
s/QStringRef(\([A-Za-z.]*\)\.string(), \1\.position(), \([0-9]*\))/\1.left(\2)/g
s/QStringRef(\([A-Za-z.]*\)\.string(), \1\.position() + \([0-9a-z]*\), \([^()]*\([A-Za-z.]*()\)\?[^()]*\))/\1.mid(\2, \3)/g
s/QStringRef \([A-Za-z]*\)(&\([A-Za-z.]*\), \([^;]*\));/QStringView \1 = QStringView(\2).mid(\3);/
s/QStringRef(&\([A-Za-z.]*\), /QStringView(\1).mid(/g
s/QStringRef\( *[A-Za-z]*\)(&\([A-Za-z.]*\))/QStringView\1(\2)/g
s/= QXmlStreamStringRef(\(.*\));/= (\1).toString();/
s/\([A-Za-z]*\)\.string()->constData() + \1\.position()/\1.data()/
s/QXmlStreamStringRef/QString/g
s/QVector<QStringRef>/QList<QStringView>/g
s/const QStringRef *& */QStringView /g
s/QStringRef/QStringView/g
s/\.midRef(/.mid(/g
s/\.splitRef(/.split(/g
s/colorStrTr\.unicode()/colorStrTr.data()/
s/? 0 : uncStr\.at(0)/? QChar(u'\\0') : uncStr.at(0)/
s/unicode = 0;/unicode = QChar(u'\\0');/
s/\*const_cast<QChar \*>(end) = 0;/*const_cast<QChar *>(end) = QChar(u'\\0');/
s/SVGToQtWeight(states\.fontWeight)/QFont::Weight(states.fontWeight)/
s/QString attribute(NodePtr node, const QString &name) const override/QString attributeValue(NodePtr node, const QCss::AttributeSelector \&selector) const override/
/attributeValue(/,/hasAttributes(/ s/\([( ]\)name ==/\1selector.name ==/g
/#include <QtGui\/qmatrix\.h>/d
/textcodec/d
/setCodec(/d
s/^#if QT_DEPRECATED_SINCE(5, 15)/#if 0/
/^static qreal toDouble(QStringView/,/^}/ s/= str\.constData();/= str.isNull() ? reinterpret_cast<const QChar *>(u"") : str.constData();/
