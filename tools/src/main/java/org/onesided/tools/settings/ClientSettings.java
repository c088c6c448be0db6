package org.onesided.tools.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.protocol.bootstrap.TlsOptions;
import picocli.CommandLine.TypeConversionException;

/**
 * The settings of a client. The commands of kvctl have them as options, the YCSB binding as properties.
 */
public final class ClientSettings
{
    /** Address of the server. */
    public static final Setting<String> SERVER =
        Setting.shared("server", "HOST:PORT", (text) -> text,
            "The server; of a cluster, one of its members, or several with commas between them",
            StoreClientBuilder.DEFAULT_SERVER);

    /** Name of the device, or several. */
    public static final Setting<String> DEVICE = Setting.shared("device", "NAME", (text) -> text,
        "Device that carries the verbs: ibv, ibv:NAME (kvctl rdma devices lists them), shm, tcp, several with commas " +
            "between them to try in that order, or auto for the best that both sides have",
        StoreClientBuilder.DEFAULT_DEVICE).completedBy("auto", "shm", "ibv", "ibv:", "tcp");

    /** File with the token. */
    public static final Setting<Path> TOKEN_FILE = Setting.sharedFile("token-file",
        "File with the secret that server and clients share", "none");

    /** Time limit of an operation. */
    public static final Setting<Duration> DEADLINE = Setting.shared("deadline", "TIME", new TimeSpan(),
        "Time limit of one operation, such as 500ms", TimeSpan.text(StoreClientBuilder.DEFAULT_DEADLINE));

    /** Whether to connect within TLS. */
    public static final Setting<Boolean> TLS = Setting.shared("tls", "", ClientSettings::flag,
        "Connect within TLS 1.3, as the other TLS options do, too", "as the other TLS options say");

    /** Trusted authorities. */
    public static final Setting<Path> TLS_CA = Setting.sharedFile("tls-ca",
        "Certificates of the authorities to trust, PEM", "those that Java trusts");

    /** Certificate of the client. */
    public static final Setting<Path> TLS_CERTIFICATE =
        Setting.sharedFile("tls-certificate", "Certificate to show the server, PEM", "none");

    /** Key of the certificate. */
    public static final Setting<Path> TLS_KEY =
        Setting.sharedFile("tls-key", "Key of that certificate, PEM without a password", "none");

    /** Memory of the mirror; a property only. */
    public static final Setting<Long> MIRROR_BYTES = Setting.shared("mirror-bytes", "SIZE", ClientSettings::sizeOrNone,
        "Memory for copies of the table's buckets, which save lookups their first READ; 0 for none",
        MemorySize.text(StoreClientBuilder.DEFAULT_MIRROR_BYTES));

    private ClientSettings()
    {
    }

    /**
     * Lists the settings about TLS.
     *
     * @return their declarations.
     */
    public static List<Setting<?>> tls()
    {
        return List.of(TLS, TLS_CA, TLS_CERTIFICATE, TLS_KEY);
    }

    /**
     * Lists the settings.
     *
     * @return all declarations.
     */
    public static List<Setting<?>> all()
    {
        final List<Setting<?>> all = new ArrayList<>(List.of(SERVER, DEVICE, TOKEN_FILE, DEADLINE, MIRROR_BYTES));
        all.addAll(tls());
        all.addAll(RdmaSetting.settings());
        return all;
    }

    /**
     * Configures a client, except its token.
     *
     * @param source of the values.
     * @return the builder.
     * @throws IllegalArgumentException if a value is out of its range, or values contradict each other.
     */
    public static StoreClientBuilder builder(final SettingSource source)
    {
        final StoreClientBuilder builder = StoreClient.builder();
        builder.server(or(source.value(SERVER), StoreClientBuilder.DEFAULT_SERVER));
        builder.device(or(source.value(DEVICE), StoreClientBuilder.DEFAULT_DEVICE));
        builder.deadline(or(source.value(DEADLINE), StoreClientBuilder.DEFAULT_DEADLINE));
        builder.mirrorBytes(or(source.value(MIRROR_BYTES), StoreClientBuilder.DEFAULT_MIRROR_BYTES));
        builder.connection(RdmaSetting.connection(StoreClientBuilder.DEFAULT_CONNECTION, source));
        return builder.tls(tls(source));
    }

    /** Null to connect without TLS. */
    private static TlsOptions tls(final SettingSource source)
    {
        final TlsOptions files =
            new TlsOptions(source.value(TLS_CERTIFICATE), source.value(TLS_KEY), source.value(TLS_CA));
        final boolean hasFiles = !files.equals(TlsOptions.DEFAULT);
        final boolean isOn = or(source.value(TLS), hasFiles);
        if (hasFiles && !isOn)
        {
            throw new IllegalArgumentException("TLS is off, but has files; leave them out or turn it on: tls=false");
        }
        return isOn ? files : null;
    }

    private static <T> T or(final T value, final T byDefault)
    {
        return value != null ? value : byDefault;
    }

    private static boolean flag(final String text)
    {
        return switch (text)
        {
            case "true" -> true;
            case "false" -> false;
            default -> throw new TypeConversionException("must be true or false: '" + text + "'");
        };
    }

    private static long sizeOrNone(final String text)
    {
        return "0".equals(text) ? 0 : new MemorySize().convert(text);
    }
}
