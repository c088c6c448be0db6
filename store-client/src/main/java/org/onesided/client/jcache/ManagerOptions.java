package org.onesided.client.jcache;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.protocol.bootstrap.TlsOptions;

/**
 * Options of a cache manager: those of the file that its URI names, those of its properties, and those of the URI's
 * query, the later of which win. In files and properties they begin with {@code onesided.}, in the query they do not.
 * Immutable.
 */
final class ManagerOptions
{
    static final String SCHEME = "onesided";
    static final String PREFIX = "onesided.";
    /** Begins the options of one cache, behind which come its name and a dot. */
    static final String CACHE = "cache.";

    private static final String SERVER = "server";
    private static final String DEVICE = "device";
    private static final String DEADLINE = "deadline";
    private static final String SESSIONS = "sessions";
    private static final String TOKEN_FILE = "token-file";
    private static final String TLS_AUTHORITIES = "tls-authorities";
    private static final String TLS_CERTIFICATE = "tls-certificate";
    private static final String TLS_KEY = "tls-key";
    private static final String CODECS = "codecs";
    private static final String SERIAL_FILTER = "serial-filter";
    private static final String GENERATION_AGE = "generation-age";
    private static final String SWEEP = "sweep";
    private static final String CACHES = "caches";
    private static final Set<String> NAMES = Set.of(
        SERVER, DEVICE, DEADLINE, SESSIONS, TOKEN_FILE, TLS_AUTHORITIES, TLS_CERTIFICATE, TLS_KEY, CODECS,
        SERIAL_FILTER, GENERATION_AGE, SWEEP, CACHES);

    private final Map<String, String> values = new TreeMap<>();

    private ManagerOptions()
    {
    }

    /** Collects the options; fails where one is unknown. */
    static ManagerOptions of(final URI uri, final Properties properties)
    {
        final ManagerOptions options = new ManagerOptions();
        final boolean isServer = SCHEME.equals(uri.getScheme());
        if (!isServer)
        {
            options.add(read(uri));
        }
        options.add(properties);
        if (isServer)
        {
            options.addQuery(uri);
        }
        options.checkCaches();
        // Both are read at each operation or later, so a wrong one is refused now.
        options.generationAgeNs();
        options.sweeps();
        return options;
    }

    private static Properties read(final URI uri)
    {
        final Properties properties = new Properties();
        try (InputStream in = uri.toURL().openStream())
        {
            properties.load(in);
        }
        catch (final IOException | IllegalArgumentException e)
        {
            throw new CacheException(
                "URI must be " + SCHEME + "://HOST:PORT or name a readable file of properties: uri=" + uri, e);
        }
        return properties;
    }

    private void add(final Properties properties)
    {
        for (final String name : properties.stringPropertyNames())
        {
            if (name.startsWith(PREFIX))
            {
                put(name.substring(PREFIX.length()), properties.getProperty(name).strip());
            }
        }
    }

    private void addQuery(final URI uri)
    {
        if (uri.getRawAuthority() != null)
        {
            values.put(SERVER, uri.getRawAuthority());
        }
        if (uri.getRawQuery() != null)
        {
            for (final String pair : uri.getRawQuery().split("&"))
            {
                final int equals = pair.indexOf('=');
                if (equals < 0)
                {
                    throw new CacheException("query of the URI must be NAME=VALUE&...: uri=" + uri);
                }
                put(
                    URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                    URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
    }

    private void put(final String name, final String value)
    {
        if (!NAMES.contains(name) && !name.startsWith(CACHE))
        {
            throw new CacheException("no such option, there are " + String.join(", ", new TreeSet<>(NAMES)) +
                " and " + CACHE + "NAME.*: option=" + name);
        }
        values.put(name, value);
    }

    /** Connects a client; the caller closes it. */
    StoreClient connect()
    {
        final StoreClientBuilder builder = StoreClient.builder();
        if (values.containsKey(SERVER))
        {
            builder.server(values.get(SERVER));
        }
        if (values.containsKey(DEVICE))
        {
            builder.device(values.get(DEVICE));
        }
        if (values.containsKey(SESSIONS))
        {
            builder.maxSessions(OptionText.count(SESSIONS, values.get(SESSIONS)));
        }
        if (values.containsKey(TOKEN_FILE))
        {
            builder.token(token(values.get(TOKEN_FILE)));
        }
        return builder.deadline(deadline()).tls(tls()).build();
    }

    private static byte[] token(final String file)
    {
        try
        {
            // The file of a token may end with a line break, as kvctl allows.
            return Files.readString(Path.of(file)).stripTrailing().getBytes(StandardCharsets.UTF_8);
        }
        catch (final IOException e)
        {
            throw new CacheException("file of the token cannot be read: " + TOKEN_FILE + "=" + file, e);
        }
    }

    private TlsOptions tls()
    {
        if (Stream.of(TLS_AUTHORITIES, TLS_CERTIFICATE, TLS_KEY).noneMatch(values::containsKey))
        {
            return null;
        }
        return new TlsOptions(path(TLS_CERTIFICATE), path(TLS_KEY), path(TLS_AUTHORITIES));
    }

    private Path path(final String name)
    {
        return values.containsKey(name) ? Path.of(values.get(name)) : null;
    }

    private Duration deadline()
    {
        return values.containsKey(DEADLINE) ?
            OptionText.time(DEADLINE, values.get(DEADLINE)) : StoreClientBuilder.DEFAULT_DEADLINE;
    }

    /** Time limit of an operation that competes with others. */
    long deadlineNs()
    {
        return TimeUnit.NANOSECONDS.convert(deadline());
    }

    /** For how long a generation counts that was read; zero: it is read at each operation. */
    long generationAgeNs()
    {
        return TimeUnit.NANOSECONDS.convert(
            OptionText.time(GENERATION_AGE, values.getOrDefault(GENERATION_AGE, "0s")));
    }

    /** Whether the pairs of former generations are deleted. */
    boolean sweeps()
    {
        return OptionText.flag(SWEEP, values.getOrDefault(SWEEP, "true"));
    }

    /** Name of the codecs. */
    String codecs()
    {
        return values.getOrDefault(CODECS, CodecChoice.JAVA);
    }

    /** Classes that may be deserialized beyond the usual ones; may be empty. */
    String serialFilter()
    {
        return values.getOrDefault(SERIAL_FILTER, "");
    }

    /** Names of the caches that exist from the beginning. */
    List<String> caches()
    {
        return Stream.of(values.getOrDefault(CACHES, "").split(",")).map(String::strip)
            .filter((name) -> !name.isEmpty()).distinct().toList();
    }

    /** Options of one cache, without what they begin with. Names of caches may have dots, these options have none. */
    Map<String, String> ofCache(final String name)
    {
        final Map<String, String> options = new TreeMap<>();
        values.forEach((option, value) ->
        {
            final int end = option.lastIndexOf('.');
            if (option.startsWith(CACHE) && option.substring(0, end + 1).equals(CACHE + name + "."))
            {
                options.put(option.substring(end + 1), value);
            }
        });
        return options;
    }

    /** Fails where an option is of a cache that is not declared. */
    private void checkCaches()
    {
        final List<String> declared = caches();
        for (final String option : values.keySet())
        {
            if (option.startsWith(CACHE) && declared.stream().noneMatch(
                (name) -> option.substring(0, option.lastIndexOf('.') + 1).equals(CACHE + name + ".")))
            {
                throw new CacheException(
                    "no such cache, " + PREFIX + CACHES + " must name it: option=" + option + " caches=" + declared);
            }
        }
    }
}
