package org.onesided.tools.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TableTest
{
    @Test
    void shouldAlignColumnsAndShowEmptyCells()
    {
        final Table table = new Table(" ", "device", "LID").row("*", "a", 7).row(" ", "a longer one", "");

        assertEquals(
            "   device        LID\n" +
            "*  a             7\n" +
            "   a longer one  -\n", table.toString());
        assertFalse(table.isEmpty());
    }

    @Test
    void shouldTellThatThereAreNoRows()
    {
        assertTrue(new Table("device").isEmpty());
    }

    @Test
    void shouldRefuseARowOfOtherWidth()
    {
        assertThrows(IllegalArgumentException.class, () -> new Table("device", "LID").row("a"));
    }
}
