package org.onesided.tools.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FiguresTest
{
    @Test
    void shouldTellTheSameInBothForms()
    {
        final Figures figures = new Figures().add("name", "a \"b\"").add("count", 7L).add("is_true", true);
        figures.group("part").add("ratio", 1.5).add("bytes", 1L << 40);
        figures.add("last", 0);

        assertEquals(
            "{\"name\":\"a \\\"b\\\"\",\"count\":7,\"is_true\":true," +
                "\"part\":{\"ratio\":1.500,\"bytes\":1099511627776},\"last\":0}",
            figures.json());
        assertEquals(
            "name a \"b\"\ncount 7\nis_true true\npart.ratio 1.500\npart.bytes 1099511627776\nlast 0\n",
            figures.plain());
    }
}
