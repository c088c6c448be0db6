package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LibraryRequirementsTest
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
                StoreClient.builder();
            }
            catch (final UnsupportedOperationException e)
            {
                System.out.println("told: " + e.getMessage());
            }
        }
    }

    @Test
    void shouldFindWhatItNeedsHere()
    {
        assertDoesNotThrow(LibraryRequirements::check);
    }

    @Test
    void shouldNameTheMissingOption() throws Exception
    {
        final Process java = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"),
            Embedding.class.getName())
            .redirectErrorStream(true)
            .start();
        final String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(java.waitFor(60, TimeUnit.SECONDS));

        assertTrue(output.contains("told: " + LibraryRequirements.missing()), output);
        assertTrue(output.contains("--add-exports java.base/jdk.internal.misc=ALL-UNNAMED"), output);
        assertEquals(0, java.exitValue());
    }
}
