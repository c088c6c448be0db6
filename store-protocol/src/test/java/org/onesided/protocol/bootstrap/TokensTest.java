package org.onesided.protocol.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldTellWhoseATokenIs() throws IOException
    {
        final Tokens tokens = Tokens.load(file("# comment\r\nreports:first\r\n\r\nbatch@host-1:second:with colon \n"));
        assertEquals(2, tokens.count());
        assertEquals("reports", name(tokens, "first"));
        assertEquals("batch@host-1", name(tokens, "second:with colon "));
        assertNull(name(tokens, "second"));
        assertNull(name(tokens, "reports:first"));
        assertNull(name(tokens, ""));
    }

    @Test
    void shouldKeepSecretsToItself() throws IOException
    {
        assertEquals("Tokens[reports]", Tokens.load(file("reports:sesame")).toString());
        assertRefused("reports:sesame\nother;sesame2\n", ":2: not NAME:TOKEN");
        assertRefused("reports:sesame\nreports:sesame2\n", ":2: name or token was there before");
        assertRefused("reports:sesame\nother:sesame\n", ":2: name or token was there before");
        assertRefused("sesame\n", ":1: not NAME:TOKEN");
        assertRefused("a b:sesame\n", ":1: not NAME:TOKEN");
        assertRefused("reports:\n", ":1: token must have");
        assertRefused("reports:" + "sesame".repeat(200), ":1: token must have");
        assertRefused("token:sesame\n", ":1: name stands for those without one");
        assertRefused("anonymous:sesame\n", ":1: name stands for those without one");
        assertRefused("# nobody\n", "tokens=0");
        assertRefused("", "tokens=0");
    }

    @Test
    void shouldTakeOneForAll()
    {
        final Tokens tokens = Tokens.of(Token.of("sesame"));
        assertEquals(Tokens.UNNAMED, name(tokens, "sesame"));
        assertNull(name(tokens, "open"));
    }

    private void assertRefused(final String content, final String why) throws IOException
    {
        final Path file = file(content);
        final String message =
            assertThrows(IllegalArgumentException.class, () -> Tokens.load(file)).getMessage();
        assertTrue(message.contains(why), message);
        assertFalse(message.contains("sesame"), message);
    }

    private Path file(final String content) throws IOException
    {
        return Files.writeString(folder.resolve("tokens"), content);
    }

    private static String name(final Tokens tokens, final String offered)
    {
        return tokens.nameOf(offered.getBytes(UTF_8));
    }
}
