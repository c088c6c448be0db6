package org.onesided.server.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandsTest
{
    private final List<String> done = new ArrayList<>();
    private final Commands commands = new Commands("agent", () -> done.add("woken"));

    @Test
    void shouldWakeTheAgentForEachCommandAndCarryThemOutInTheirOrder()
    {
        commands.add(() -> done.add("first"));
        commands.add(() -> done.add("second"));
        assertEquals(List.of("woken", "woken"), done);
        assertEquals(2, commands.execute());
        assertEquals(List.of("woken", "woken", "first", "second"), done);
        assertEquals(0, commands.execute());
    }

    @Test
    void shouldCarryOutACommandBehindOneThatFails()
    {
        commands.add(() ->
        {
            throw new IllegalStateException("planted by this test");
        });
        commands.add(() -> done.add("second"));
        assertEquals(2, commands.execute());
        assertEquals(List.of("woken", "woken", "second"), done);
    }

    @Test
    void shouldCarryOutWhatACommandAsksFor()
    {
        commands.add(() -> commands.add(() -> done.add("asked for")));
        assertEquals(2, commands.execute());
        assertEquals(List.of("woken", "woken", "asked for"), done);
    }
}
