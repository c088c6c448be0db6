package org.onesided.tools.metrics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;
import java.util.Locale;
import org.onesided.protocol.bootstrap.TokenFiles;
import org.onesided.protocol.bootstrap.Tokens;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for a token before metrics are shown: {@code Authorization: Bearer TOKEN}, or Basic with the token as the
 * password of any user, for which browsers prompt. Thread-safe.
 */
final class MetricsGuard
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MetricsGuard.class);
    private static final int MAX_LENGTH = 8 << 10;
    private static final byte[] NOTHING = {};

    private final Tokens tokens;
    private final TokenFiles files;

    /**
     * @param tokens of which one is asked for, or null to let everybody in.
     */
    MetricsGuard(final Tokens tokens)
    {
        this.tokens = tokens;
        files = tokens == null ? null : tokens.files();
        if (files != null)
        {
            files.onKept((why) -> LOGGER.warn("changed token file of the metrics is unusable, the former token stays " +
                "in use: cause={}", why));
        }
    }

    /**
     * @param authorization header of the request, or null.
     * @return whether it may see the metrics.
     */
    boolean admits(final String authorization)
    {
        if (tokens == null)
        {
            return true;
        }
        return newest().ownerOf(offered(authorization)) != null;
    }

    private synchronized Tokens newest()
    {
        if (files != null)
        {
            files.tryReload();
        }
        return tokens.newest();
    }

    private static byte[] offered(final String authorization)
    {
        final int blank = authorization == null ? -1 : authorization.indexOf(' ');
        if (blank < 0 || authorization.length() > MAX_LENGTH)
        {
            return NOTHING;
        }
        final String credentials = authorization.substring(blank + 1).strip();
        return switch (authorization.substring(0, blank).toLowerCase(Locale.ROOT))
        {
            case "bearer" -> credentials.getBytes(ISO_8859_1);
            case "basic" -> password(credentials);
            default -> NOTHING;
        };
    }

    private static byte[] password(final String credentials)
    {
        try
        {
            // Latin-1 keeps bytes as they are.
            final String decoded = new String(Base64.getDecoder().decode(credentials), ISO_8859_1);
            return decoded.substring(decoded.indexOf(':') + 1).getBytes(ISO_8859_1);
        }
        catch (final IllegalArgumentException e)
        {
            return NOTHING;
        }
    }
}
