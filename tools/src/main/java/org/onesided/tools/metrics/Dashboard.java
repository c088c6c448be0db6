package org.onesided.tools.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The page that shows a running server: one file without data, whose script asks for {@code /metrics} and
 * {@code /health} of the same server again and again. Its policy allows that and nothing else: no other host, no other
 * script or style, no frame around it.
 */
final class Dashboard
{
    private static final String RESOURCE = "dashboard.html";

    private final byte[] page;
    private final String policy;

    Dashboard()
    {
        final String text = read();
        page = text.getBytes(UTF_8);
        policy = "default-src 'none'; connect-src 'self'; style-src " + hash(between(text, "style")) +
            "; script-src " + hash(between(text, "script")) +
            "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /** HTML in UTF-8. */
    byte[] page()
    {
        return page;
    }

    /** The Content-Security-Policy that the page is to be sent with. */
    String policy()
    {
        return policy;
    }

    /** The content of the page's only element of a name, as browsers hash it. */
    private static String between(final String text, final String element)
    {
        final int begin = text.indexOf("<" + element + ">") + element.length() + 2;
        return text.substring(begin, text.indexOf("</" + element + ">", begin));
    }

    private static String hash(final String content)
    {
        try
        {
            return "'sha256-" + Base64.getEncoder().encodeToString(
                MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8))) + "'";
        }
        catch (final NoSuchAlgorithmException e)
        {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static String read()
    {
        try (InputStream input = Dashboard.class.getResourceAsStream(RESOURCE))
        {
            return new String(input.readAllBytes(), UTF_8);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("the page is not in the jar: " + RESOURCE, e);
        }
    }
}
