package org.onesided.client;

import java.io.IOException;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a client's TLS files, and logs when they change. The builder creates no logger itself, so that a program can
 * read its defaults before it sets the level of the log.
 */
final class ClientCredentials
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ClientCredentials.class);

    private ClientCredentials()
    {
    }

    /**
     * @param tls names the files.
     * @return their contents, read again when they change.
     * @throws IllegalArgumentException if a file cannot be read (its cause is an IOException then) or used.
     */
    static TlsCredentials of(final TlsOptions tls)
    {
        try
        {
            return new TlsCredentials(
                tls,
                (what) -> LOGGER.info("TLS files have changed, new connections use them: {}", what),
                (why) -> LOGGER.warn("changed TLS files are unusable, the former ones stay in use: cause={}", why));
        }
        catch (final IOException e)
        {
            throw new IllegalArgumentException("cannot read the files for TLS: " + e.getMessage(), e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException("cannot take the files for TLS: " + e.getMessage(), e);
        }
    }
}
