package org.onesided.tools.kvctl.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest
{
    @Test
    void shouldTellTheSameInBothForms()
    {
        final Figures figures = new Figures().add("name", "a \"b\"").add("count", 7L).add("is_true", true);
        figures.group("part").add("ratio", 1.5).add("bytes", 1L << 40);
        figures.list("each", List.of(new Figures().add("a", "x y"), new Figures().add("a", false)));
        figures.add("last", 0);

        assertEquals(
            "{\"name\":\"a \\\"b\\\"\",\"count\":7,\"is_true\":true," +
                "\"part\":{\"ratio\":1.500,\"bytes\":1099511627776}," +
                "\"each\":[{\"a\":\"x y\"},{\"a\":false}],\"last\":0}",
            figures.json());
        assertEquals(
            "name a \"b\"\ncount 7\nis_true true\npart.ratio 1.500\npart.bytes 1099511627776\n" +
                "each.0.a x y\neach.1.a false\nlast 0\n",
            figures.plain());
    }
}
