package org.onesided.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A table in a page of the documentation that is made from the code: it stands between two comments,
 * {@code <!-- NAME: made from the code -->} and {@code <!-- end of NAME -->}. With {@code -Ddocs.write=true} the
 * tests write it anew instead of comparing it.
 */
public final class DocumentedTable
{
    private final Path page;
    private final String name;

    private DocumentedTable(final Path page, final String name)
    {
        this.page = page;
        this.name = name;
    }

    /**
     * @param page file of the page.
     * @param name of the table.
     * @return the table, which need not be there yet.
     */
    public static DocumentedTable in(final Path page, final String name)
    {
        return new DocumentedTable(page, name);
    }

    /**
     * @param table as the code makes it.
     * @throws IOException if the page cannot be read.
     */
    public void assertIs(final String table) throws IOException
    {
        final String text = Files.readString(page);
        final String begin = "<!-- " + name + ": made from the code -->\n";
        final String end = "<!-- end of " + name + " -->";
        final int from = text.indexOf(begin);
        final int to = text.indexOf(end);
        assertTrue(from >= 0 && to > from, page + " has no place for the table " + name);
        if (Boolean.getBoolean("docs.write"))
        {
            Files.writeString(page, text.substring(0, from) + begin + table + text.substring(to));
        }
        else
        {
            assertEquals(table, text.substring(from + begin.length(), to),
                "make it anew: ./mvnw -pl tools -am test -Dtest='*Settings*,*Properties*,*Metrics*' " +
                    "-Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true");
        }
    }
}
