package org.onesided.tools.load.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a page that shows one or several runs: one HTML file that loads nothing and runs only its own scripts. Results
 * are embedded as JSON without characters that HTML interprets, and shown as text.
 */
public final class ReportPage
{
    private static final Pattern PLACE = Pattern.compile("\\$\\{(\\w+)}");

    private ReportPage()
    {
    }

    /**
     * @param runs to show, at least one; the first is the baseline.
     * @param out  gets the page; flushed, not closed.
     * @throws IOException if it cannot be written.
     */
    public static void write(final List<ReportRun> runs, final OutputStream out) throws IOException
    {
        if (runs.isEmpty())
        {
            throw new IllegalArgumentException("a report is of one run at least: runs=0");
        }
        final String style = '\n' + resource("page.css");
        // The last line refers to a source map, which is not included.
        final String charts =
            '\n' + resource("chart.js-chart.umd.min.js").replaceAll("(?m)^//# sourceMappingURL=.*$", "");
        final String script = '\n' + resource("text.js") + resource("plots.js") + resource("page.js");
        final Map<String, String> parts = Map.of(
            "policy", "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hash(style) +
                "; script-src " + hash(charts) + ' ' + hash(script),
            "style", style,
            "charts", checked(charts),
            "script", checked(script),
            "licences", escape("Chart.js\n\n" + resource("chart.js-LICENSE.md") +
                "\n@kurkle/color, within Chart.js\n\n" + resource("color-LICENSE.md")),
            "data", data(runs));
        final Matcher places = PLACE.matcher(resource("page.html"));
        out.write(places.replaceAll(place -> Matcher.quoteReplacement(parts.get(place.group(1)))).getBytes(UTF_8));
        out.flush();
    }

    private static String data(final List<ReportRun> runs) throws IOException
    {
        final StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().setCharacterEscapes(new MarkupEscapes()).createGenerator(text))
        {
            json.writeStartArray();
            for (final ReportRun run : runs)
            {
                json.writeStartObject();
                json.writeStringField("label", run.label());
                json.writeFieldName("result");
                run.copyTo(json);
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        return text.toString();
    }

    /** The name of a part of the page in the content security policy. */
    private static String hash(final String part)
    {
        try
        {
            final byte[] digest = MessageDigest.getInstance("SHA-256").digest(part.getBytes(UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + '\'';
        }
        catch (final NoSuchAlgorithmException e)
        {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** A script that contains its own end tag is a mistake of the build. */
    private static String checked(final String script)
    {
        if (script.contains("</script") || script.contains("<!--"))
        {
            throw new IllegalStateException("script cannot stand in a page: length=" + script.length());
        }
        return script;
    }

    private static String escape(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String resource(final String name)
    {
        try (InputStream input = ReportPage.class.getResourceAsStream(name))
        {
            if (input == null)
            {
                throw new IllegalStateException("a part of the report is missing, build anew: resource=" + name);
            }
            // Browsers normalise line ends before they compute the policy's hashes.
            return new String(input.readAllBytes(), UTF_8).replace("\r", "");
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("a part of the report cannot be read: resource=" + name, e);
        }
    }

    /** Escapes characters that HTML or a script could interpret. */
    private static final class MarkupEscapes extends CharacterEscapes
    {
        private static final long serialVersionUID = 1L;

        private final int[] escapes = standardAsciiEscapesForJSON();

        MarkupEscapes()
        {
            for (final char special : new char[]{'<', '>', '&', '\''})
            {
                escapes[special] = ESCAPE_STANDARD;
            }
        }

        @Override
        public int[] getEscapeCodesForAscii()
        {
            return escapes.clone();
        }

        @Override
        public SerializableString getEscapeSequence(final int character)
        {
            return null;
        }
    }
}
