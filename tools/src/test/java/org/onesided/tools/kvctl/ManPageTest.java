package org.onesided.tools.kvctl;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

class ManPageTest
{
    @Test
    void shouldLeaveTheLinesOfAParagraphToMan()
    {
        final String page = page("first line of a sentence", "that goes on.", "", "Next - one.", "", "Examples:",
            "  kvctl get k");

        assertTrue(
            page.contains("\n.PP\nfirst line of a sentence that goes on.\n.PP\nNext \\- one.\n.SH OPTIONS\n"), page);
        assertTrue(page.endsWith("\n.SH EXAMPLES\n.nf\nkvctl get k\n.fi\n"), page);
    }

    @Test
    void shouldKeepTheLinesOfATable()
    {
        final String page = page("", "name     meaning", ".x       of two", "         lines", "", "Text.");

        assertTrue(page.contains("\n.PP\n.nf\nname     meaning\n\\&.x       of two\n         lines\n.fi\n.PP\nText.\n"),
            page);
    }

    @Test
    void shouldHaveNoNotesWhereThereAreNone()
    {
        assertFalse(page("", "Examples:", "  kvctl get k").contains(".PP"));
        assertFalse(page().contains(".PP"));
    }

    @Test
    void shouldBreakNoLineOfATableApart()
    {
        for (final CommandSpec command : CommandModel.all())
        {
            final String page = ManPage.of(command);
            assertFalse(page.contains("\n.PP\n "), page);
        }
    }

    private static String page(final String... footer)
    {
        final CommandSpec command = CommandSpec.create().name("try");
        command.usageMessage().description("Try it.").footer(footer);
        return ManPage.of(command);
    }
}
