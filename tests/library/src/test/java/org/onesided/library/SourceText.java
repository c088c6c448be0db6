package org.onesided.library;

import java.net.URI;
import javax.tools.SimpleJavaFileObject;

/**
 * A source file that is a text.
 */
final class SourceText extends SimpleJavaFileObject
{
    private final String text;

    SourceText(final String type, final String text)
    {
        super(URI.create("text:///" + type + ".java"), Kind.SOURCE);
        this.text = text;
    }

    @Override
    public CharSequence getCharContent(final boolean ignoreEncodingErrors)
    {
        return text;
    }
}
