package org.onesided.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;

/**
 * What an application is told whose JVM was started without the flags.
 */
class MissingFlagTest
{
    /** Run in a JVM of its own. */
    static final class Embedding
    {
        private Embedding()
        {
        }

        public static void main(final String[] args)
        {
            try
            {
                StoreClient.builder().server("127.0.0.1:1").build();
            }
            catch (final UnsupportedOperationException e)
            {
                System.out.println("told: " + e.getMessage());
            }
        }
    }

    @Test
    void shouldNameTheMissingFlag() throws Exception
    {
        final Process java = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"),
            Embedding.class.getName())
            .redirectErrorStream(true)
            .start();
        final String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertEquals(0, java.waitFor(), output);
        assertTrue(
            output.contains("told: this JVM does not open raw memory to the store: start it with " +
                "--add-exports java.base/jdk.internal.misc=ALL-UNNAMED"), output);
        assertTrue(output.contains(": java=" + Runtime.version().feature() + "\n"), output);
    }
}
