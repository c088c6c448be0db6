package org.onesided.tools.load.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/**
 * The JSON of a result is a promise to its readers: the example in the resources is what is written. After a change
 * that is meant, {@code -Dexample.write=yes} writes it anew.
 */
class ResultJsonTest
{
    private static final String EXAMPLE = "/org/onesided/tools/load/example.json";
    private static final Pattern HISTOGRAM = Pattern.compile("\"histogram\": \"([A-Za-z0-9+/=]+)\"");

    @Test
    void shouldWriteTheExample() throws Exception
    {
        final String written = write();
        if ("yes".equals(System.getProperty("example.write")))
        {
            Files.writeString(Path.of("src/test/resources" + EXAMPLE), written);
        }

        try (InputStream example = ResultJsonTest.class.getResourceAsStream(EXAMPLE))
        {
            final String expected = new String(example.readAllBytes(), UTF_8);
            assertEquals(withoutHistograms(expected), withoutHistograms(written));
        }
    }

    @Test
    void shouldCarryHistogramsWhole() throws Exception
    {
        final Matcher histograms = HISTOGRAM.matcher(write());

        assertTrue(histograms.find());
        final Histogram first = Histogram.decodeFromCompressedByteBuffer(
            ByteBuffer.wrap(Base64.getDecoder().decode(histograms.group(1))), 0);
        assertEquals(ExampleResult.create().phases().get(0).operations().get(0).service(), first);
    }

    /** Their bytes depend on the release of zlib that Java comes with. */
    private static String withoutHistograms(final String json)
    {
        return HISTOGRAM.matcher(json).replaceAll("\"histogram\": \"...\"");
    }

    private static String write() throws Exception
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        ResultJson.write(ExampleResult.create(), out);
        return out.toString(UTF_8);
    }
}
