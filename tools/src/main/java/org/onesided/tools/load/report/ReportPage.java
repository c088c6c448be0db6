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
 * Writes a page that shows one run or several: one file of HTML that loads nothing, and that runs no script but its
 * own. What the results hold reaches the page as JSON without any character that HTML knows, and is shown as text.
 */
public final class ReportPage
{
    private static final Pattern PLACE = Pattern.compile("\\$\\{(\\w+)}");

    private ReportPage()
    {
    }

    /**
     * @param runs to be shown, the first being the one that others are compared with; at least one.
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
        // What its last line names, a map for debuggers, is not there.
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

    /** How a policy names a part of the page that it allows. */
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

    /** A script of our own making that would end before its end is a mistake of the build. */
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
            // Browsers make no difference between line ends, but the policy's hashes do.
            return new String(input.readAllBytes(), UTF_8).replace("\r", "");
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("a part of the report cannot be read: resource=" + name, e);
        }
    }

    /** Writes what HTML or a script could take for its own as numbers. */
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
