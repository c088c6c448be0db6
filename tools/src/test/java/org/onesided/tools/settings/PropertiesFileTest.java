package org.onesided.tools.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PropertiesFileTest
{
    @TempDir
    private Path directory;
    private Path path;

    @BeforeEach
    void name()
    {
        path = directory.resolve("server.properties");
    }

    @Test
    void shouldReadWhatJavaReads() throws Exception
    {
        final String text = "# a comment that ends in \\\nmemory = 1g\n\n\u2003\n \t\f\n\f\n! another\n" +
            "  listen : [::1]:1\ntoken-file \\\n    a\\u0062c\\ d\nempty=\nback=a\\\\\nlast=\u00e4 \\=";
        final Properties expected = new Properties();
        expected.load(new StringReader(text));

        assertEquals(expected, load(text).values());
    }

    @Test
    void shouldKnowTheLineOfEach() throws Exception
    {
        final PropertiesFile file = load("\n# first\nmemory=1g\ntoken-file=\\\n  a\\\n  b\nshards=2\n");

        assertEquals(List.of("memory", "token-file", "shards"), List.copyOf(file.values().keySet()));
        assertEquals(path + ":3", file.place("memory"));
        assertEquals(path + ":4", file.place("token-file"));
        assertEquals(path + ":7", file.place("shards"));
    }

    @Test
    void shouldTakeAnEmptyFile() throws Exception
    {
        assertEquals(Map.of(), load("").values());
    }

    @Test
    void shouldRefuseWhatIsGivenTwice()
    {
        assertBroken("memory=1g\nshards=2\nmemory=2g\n", path + ":3: given already in line 1, remove one: 'memory'");
    }

    @Test
    void shouldNameTheLineOfABrokenEscape()
    {
        assertBroken("memory=1g\nshards=\\u00zz\n", path + ":2: not a property: Malformed \\uxxxx encoding.");
    }

    @Test
    void shouldRefuseWhatIsNotUtf8() throws Exception
    {
        Files.write(path, "memory=\u00e4".getBytes(StandardCharsets.ISO_8859_1));

        assertEquals(
            path + ": not valid UTF-8, convert it: cause=Input length = 1",
            assertThrows(BrokenSettingException.class, () -> PropertiesFile.load(path)).getMessage());
    }

    @Test
    void shouldRefuseWhatIsFarTooLong()
    {
        assertBroken(
            "#".repeat((1 << 20) + 1), path + ": too long for a file of properties: longest=1048576");
    }

    @Test
    void shouldLeaveAFileThatIsNotThereToTheCaller()
    {
        assertThrows(NoSuchFileException.class, () -> PropertiesFile.load(path));
    }

    @Test
    void shouldFindFilesBesideItself() throws Exception
    {
        final PropertiesFile file = load("");

        assertEquals(directory.resolve("secret"), file.resolve(Path.of("secret")));
        assertEquals(Path.of("/etc/secret"), file.resolve(Path.of("/etc/secret")));
    }

    private PropertiesFile load(final String text) throws Exception
    {
        return PropertiesFile.load(Files.writeString(path, text));
    }

    private void assertBroken(final String text, final String message)
    {
        assertEquals(message, assertThrows(BrokenSettingException.class, () -> load(text)).getMessage());
    }
}
