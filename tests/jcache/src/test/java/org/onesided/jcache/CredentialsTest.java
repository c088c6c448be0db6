package org.onesided.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.jcache.OnesidedCachingProvider;
import org.onesided.protocol.bootstrap.TestAuthority;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;

/**
 * A server that speaks TLS and asks for a token.
 */
class CredentialsTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldShowWhatTheOptionsName() throws Exception
    {
        final TestAuthority authority = new TestAuthority("tests");
        final Path authorities = authority.write(directory.resolve("ca.crt"));
        final Path token = Files.writeString(directory.resolve("token"), "sesame\n");
        final OnesidedCachingProvider provider = new OnesidedCachingProvider();
        try (StoreServer server = StoreServer.start(new ServerOptions()
            .listenHost("127.0.0.1").listenPort(0).device("shm").memory(64L << 20)
            .token(Token.of("sesame")).tls(authority.forLoopback().write(directory, "server"))))
        {
            final URI uri = URI.create("onesided://127.0.0.1:" + server.address().getPort());
            final Properties properties = new Properties();
            assertInstanceOf(StoreConnectException.class, refusal(provider, uri, properties));
            properties.setProperty("onesided.tls-authorities", authorities.toString());
            assertInstanceOf(StoreAccessException.class, refusal(provider, uri, properties));

            properties.setProperty("onesided.token-file", token.toString());
            final Cache<String, String> cache = provider.getCacheManager(uri, null, properties).createCache(
                "books", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
            cache.put("a", "1");
            assertEquals("1", cache.get("a"));
            provider.close();
        }
        finally
        {
            provider.close();
        }
    }

    private static Throwable refusal(
        final OnesidedCachingProvider provider, final URI uri, final Properties properties)
    {
        return assertThrows(CacheException.class, () -> provider.getCacheManager(uri, null, properties)).getCause();
    }
}
