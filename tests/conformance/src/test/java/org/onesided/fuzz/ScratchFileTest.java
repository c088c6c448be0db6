package org.onesided.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ScratchFileTest
{
    @Test
    void shouldHoldWhatWasWrittenLast() throws IOException
    {
        try (ScratchFile first = new ScratchFile();
            ScratchFile second = new ScratchFile())
        {
            first.write(new byte[100]);
            first.write(new byte[]{1, 2});
            second.write(new byte[]{3});
            assertNotEquals(first.path(), second.path());
            assertArrayEquals(new byte[]{1, 2}, Files.readAllBytes(first.path()));
            assertArrayEquals(new byte[]{3}, Files.readAllBytes(second.path()));
        }
    }

    @Test
    void shouldLeaveNothingWhenItsProcessIsKilled() throws IOException
    {
        try (ScratchFile file = new ScratchFile())
        {
            final String target = Files.readSymbolicLink(file.path()).toString();
            assertTrue(target.endsWith(" (deleted)"), target);
            final String name = target.substring(0, target.length() - " (deleted)".length());
            assertFalse(Files.exists(Path.of(name)), name);
        }
    }
}
