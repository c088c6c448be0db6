package org.onesided.protocol.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFilesTest
{
    @TempDir
    Path directory;
    private Path writers;
    private Path readers;

    @BeforeEach
    void write() throws IOException
    {
        writers = Files.writeString(directory.resolve("writers"), "batch:first\n");
        readers = Files.writeString(directory.resolve("readers"), "reports:second\n");
    }

    @Test
    void shouldTellWhoMayWriteAndWhoMayLookUp() throws IOException
    {
        final Tokens tokens = TokenFiles.load(null, null, writers, readers);

        assertFalse(owner(tokens, "first").isReader());
        assertTrue(owner(tokens, "second").isReader());
        assertNull(owner(tokens, "third"));
        assertEquals("Tokens[batch, reports] readers[reports]", tokens.toString());

        final Tokens one = TokenFiles.load(Token.of("first"), null, null, readers);
        assertEquals(Tokens.UNNAMED, owner(one, "first").name());
        assertFalse(owner(one, "first").isReader());
        assertTrue(owner(one, "second").isReader());
        assertNull(TokenFiles.load(Token.of("first"), null, null, null).files(), "nothing to reload");
    }

    @Test
    void shouldReadFilesAgain() throws IOException
    {
        final Tokens before = TokenFiles.load(null, null, writers, readers);
        final TokenFiles files = before.files();
        final Tokens.Owner batch = owner(before, "first");
        assertFalse(files.tryReload());
        assertSame(before, before.newest());

        Files.writeString(writers, "batch:another\nmore:first\n");
        assertTrue(files.tryReload());
        final Tokens now = before.newest();
        assertEquals("more", now.nameOf("first".getBytes(UTF_8)));
        assertEquals("batch", now.nameOf("another".getBytes(UTF_8)));
        assertFalse(now.contains(batch), "another secret");
        assertTrue(now.contains(owner(before, "second")));

        Files.writeString(readers, "batch-2:first\n");
        Files.writeString(writers, "x:y\n");
        assertTrue(files.tryReload());
        assertFalse(before.newest().contains(batch));
        assertTrue(owner(before.newest(), "first").isReader());
        assertFalse(before.newest().contains(new Tokens.Owner("batch-2", false, Token.of("first"))), "other rights");
    }

    @Test
    void shouldKeepTheFormerTokensWhereFilesAreNoGood() throws IOException
    {
        final Tokens before = TokenFiles.load(null, null, writers, readers);
        final TokenFiles files = before.files();
        final List<String> told = new ArrayList<>();
        files.onKept(told::add);

        Files.writeString(readers, "no token\n");
        assertFalse(files.tryReload());
        assertFalse(files.tryReload());
        Files.delete(readers);
        assertFalse(files.tryReload());
        assertSame(before, before.newest());
        assertEquals(2, told.size(), told.toString());
        assertTrue(told.get(0).contains("readers:1: not NAME:TOKEN"), told.get(0));
        assertTrue(told.get(1).startsWith("no such file: "), told.get(1));

        Files.writeString(readers, "reports:second\n");
        assertTrue(files.tryReload(), "it was not read since it is back");
    }

    @Test
    void shouldReadTheSecretOfAllAgain() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("token"), "sesame\n");
        final Tokens before = TokenFiles.load(null, file, null, null);
        assertEquals(Tokens.UNNAMED, before.nameOf("sesame".getBytes(UTF_8)));
        Files.writeString(file, "open\n");
        assertTrue(before.files().tryReload());
        assertNull(before.newest().nameOf("sesame".getBytes(UTF_8)));
        assertEquals(Tokens.UNNAMED, before.newest().nameOf("open".getBytes(UTF_8)));
    }

    @Test
    void shouldRefuseWhatGivesRightsByChance() throws IOException
    {
        assertSays("also named", "name=batch", Files.writeString(readers, "batch:other\n"));
        assertSays("the same secret", "name=reports", Files.writeString(readers, "reports:first\n"));
        final Path file = Files.writeString(readers, "reports:first\n");
        assertThrows(IllegalArgumentException.class, () -> TokenFiles.load(Token.of("first"), null, null, file));
        assertThrows(IllegalArgumentException.class, () -> TokenFiles.load(null, null, null, file));
        assertThrows(IllegalArgumentException.class, () -> TokenFiles.load(Token.of("a"), null, writers, file));
        final IOException e =
            assertThrows(IOException.class, () -> TokenFiles.load(null, null, directory.resolve("none"), null));
        assertTrue(e.getMessage().startsWith("no such file: "), e.getMessage());
    }

    private void assertSays(final String what, final String part, final Path file)
    {
        final String message = assertThrows(
            IllegalArgumentException.class, () -> TokenFiles.load(null, null, writers, file), what).getMessage();
        assertTrue(message.startsWith(file + ": ") && message.contains(part), message);
        assertFalse(message.contains("first"), message);
    }

    private static Tokens.Owner owner(final Tokens tokens, final String secret)
    {
        return tokens.ownerOf(secret.getBytes(UTF_8));
    }
}
