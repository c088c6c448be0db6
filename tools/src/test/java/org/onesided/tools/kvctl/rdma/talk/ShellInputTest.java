package org.onesided.tools.kvctl.rdma.talk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShellInputTest
{
    private static final long HANG_GUARD_NS = TimeUnit.SECONDS.toNanos(60);

    @Test
    void shouldGiveLinesAndThenTheEnd() throws Exception
    {
        try (ShellInput input = new ShellInput(new ByteArrayInputStream("one\n\nzwölf".getBytes(UTF_8))))
        {
            assertEquals("one", input.next(HANG_GUARD_NS));
            assertEquals("", input.next(HANG_GUARD_NS));
            assertEquals("zwölf", input.next(HANG_GUARD_NS));
            assertFalse(input.hasEnded());
            assertNull(input.next(HANG_GUARD_NS));
            assertTrue(input.hasEnded());
            assertNull(input.next(HANG_GUARD_NS));
        }
    }

    @Test
    void shouldNotKeepALineThatIsTooLong() throws Exception
    {
        final String text = "x".repeat(ShellInput.MAX_LINE_LENGTH) + "\n" +
            "x".repeat(ShellInput.MAX_LINE_LENGTH + 1) + "\nnext\n";
        try (ShellInput input = new ShellInput(new ByteArrayInputStream(text.getBytes(UTF_8))))
        {
            assertEquals(ShellInput.MAX_LINE_LENGTH, input.next(HANG_GUARD_NS).length());
            assertEquals(ShellInput.TOO_LONG, input.next(HANG_GUARD_NS));
            assertEquals("next", input.next(HANG_GUARD_NS));
        }
    }

    @Test
    void shouldNotWaitForSomebodyWhoTypesNothing() throws Exception
    {
        try (PipedOutputStream typed = new PipedOutputStream();
            ShellInput input = new ShellInput(new PipedInputStream(typed)))
        {
            assertNull(input.next(1));
            assertFalse(input.hasEnded());
            typed.write("late\n".getBytes(UTF_8));
            typed.flush();
            assertEquals("late", input.next(HANG_GUARD_NS));
        }
    }
}
