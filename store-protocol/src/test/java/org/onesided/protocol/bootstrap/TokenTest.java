package org.onesided.protocol.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenTest
{
    @TempDir
    Path directory;

    @Test
    void shouldMatchItselfOnly()
    {
        final Token token = Token.of("secret");
        assertTrue(token.matches("secret".getBytes(UTF_8)));
        for (final String other : new String[]{"", "s", "Secret", "secret ", "secretsecret"})
        {
            assertFalse(token.matches(other.getBytes(UTF_8)), other);
        }
    }

    @Test
    void shouldDropOneLineEndOfAFile() throws IOException
    {
        assertArrayEquals("a b".getBytes(UTF_8), load("a b\n").bytes());
        assertArrayEquals("a b".getBytes(UTF_8), load("a b\r\n").bytes());
        assertArrayEquals("a b\n".getBytes(UTF_8), load("a b\n\n").bytes());
        assertArrayEquals("a b".getBytes(UTF_8), load("a b").bytes());
    }

    @Test
    void shouldTakeALongestToken() throws IOException
    {
        assertTrue(load("x".repeat(Bootstrap.MAX_TOKEN_LENGTH) + "\r\n")
            .matches("x".repeat(Bootstrap.MAX_TOKEN_LENGTH).getBytes(UTF_8)));
    }

    @Test
    void shouldRefuseAFileThatIsEmptyTooLongOrNotThere()
    {
        assertThrows(IllegalArgumentException.class, () -> load(""));
        assertThrows(IllegalArgumentException.class, () -> load("\n"));
        assertThrows(IllegalArgumentException.class, () -> load("x".repeat(Bootstrap.MAX_TOKEN_LENGTH + 1)));
        assertThrows(IllegalArgumentException.class, () -> load("x".repeat(Bootstrap.MAX_TOKEN_LENGTH * 9)));
        assertThrows(NoSuchFileException.class, () -> Token.load(directory.resolve("none")));
    }

    @Test
    void shouldNotShowItsSecret()
    {
        assertFalse(Token.of("secret").toString().contains("secret"));
    }

    private Token load(final String content) throws IOException
    {
        return Token.load(Files.writeString(directory.resolve("token"), content));
    }
}
