package org.onesided.tools.kvctl.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.server.ServerOptions;
import org.onesided.tools.DocumentedTable;
import org.onesided.tools.kvctl.CapturedRun;
import org.onesided.tools.kvctl.CommandModel;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.settings.Setting;
import org.onesided.tools.settings.SettingTable;
import org.onesided.verbs.HugePages;
import picocli.CommandLine;

/**
 * From where the server's settings come, which of them count, and what is said of those that cannot be.
 */
class ServerSettingsTest
{
    /** Not a number or a word of their own, so that they cannot be read back. */
    private static final Set<String> DESCRIBED = Set.of("shards", "gid-index", "rdma-port", "rdma-timeout",
        "min-rnr-timer", "token-file", "tokens-file", "read-tokens-file", "metrics",
        "metrics-token-file", "log-format", "tls-certificate", "tls-key",
        "tls-client-ca", "tls-peer-certificate", "tls-peer-key", "tls-peer-ca", "config", "data", "peer-listen", "zone",
        "max-sessions-per-address", "max-sessions-per-identity", "max-handshakes-per-address");

    @TempDir
    private Path directory;

    @Test
    void shouldDocumentEachSetting() throws Exception
    {
        DocumentedTable.in(Path.of("..", "docs", "running.md"), "settings").assertIs(
            SettingTable.of(
                "| flag | variable | property | default | |", ServerSettingList.all(), ServerSettingsTest::names));
    }

    /** The file itself cannot name the file. */
    private static List<String> names(final Setting<?> setting)
    {
        return List.of(
            "`" + setting.option() + " " + setting.label().replace("|", "\\|") + "`",
            "`" + setting.variable() + "`",
            setting == ServerSettingList.CONFIG ? "" : "`" + setting.name() + "`");
    }

    @Test
    void shouldTellTheTrueDefaults()
    {
        final ServerOptions defaults = new ServerOptions();
        final Map<String, String> environment = new HashMap<>();
        final Set<String> told = new TreeSet<>();
        for (final Setting<?> setting : ServerSettingList.all())
        {
            if (DESCRIBED.contains(setting.name()))
            {
                assertTrue(!setting.byDefault().isBlank(), setting.name());
            }
            else
            {
                environment.put(setting.variable(), setting.byDefault());
                told.add(setting.name());
            }
        }
        assertEquals(
            Set.of("credits", "default-ttl", "device", "evict", "handshake-timeout", "huge-pages", "lease",
                "listen", "max-handshakes", "max-sessions", "memory", "memory-initial", "memory-release",
                "message-size", "pull-limit", "rdma-retries", "rnr-retries", "room-wait", "service-level",
                "snapshot-log", "spin", "sync", "traffic-class"), told);

        final ServerOptions options = options(environment);

        assertEquals(text(defaults), text(options));
    }

    @Test
    void shouldPreferFlagsToVariablesToTheFileToDefaults() throws Exception
    {
        final Path file = file("""
            memory = 10m
            pull-limit = 300k
            huge-pages = off
            device = shm
            rdma-retries = 1
            rnr-retries = 1
            min-rnr-timer = 1
            spin = never
            credits = 17
            """);
        final ServerOptions options = options(
            Map.of(
                "KVCTL_SERVER_CONFIG", file.toString(), "KVCTL_SERVER_PULL_LIMIT", "400k",
                "KVCTL_SERVER_HUGE_PAGES", "on", "KVCTL_DEVICE", "ibv", "KVCTL_RDMA_RETRIES", "2",
                "KVCTL_RNR_RETRIES", "2"),
            "--rnr-retries", "3", "--huge-pages", "auto");

        assertEquals(10 << 20, options.memory());
        assertEquals(400 << 10, options.pullLimit());
        assertEquals(HugePages.AUTO, options.hugePages());
        assertEquals("ibv", options.device());
        assertEquals(2, options.connection().retryCount());
        assertEquals(3, options.connection().rnrRetry());
        assertEquals(1, options.connection().minRnrTimer());
        assertEquals(0, options.spinNs());
        assertEquals(17, options.credits());
        assertEquals(new ServerOptions().leaseNs(), options.leaseNs());
    }

    @Test
    void shouldFindTheTokenFileBesideTheFileThatNamesIt() throws Exception
    {
        Files.writeString(directory.resolve("secret"), "from the file");
        final String config = file("token-file=secret\nlisten=0.0.0.0:1").toString();

        assertTrue(options(Map.of(), "--config", config).tokens() != null);
        Files.delete(directory.resolve("secret"));
        assertTrue(options(Map.of("KVCTL_TOKEN", "from the variable"), "--config", config).tokens() != null);
    }

    @Test
    void shouldPreferTheVariableOfATokensFileToTheOneOfTheToken() throws Exception
    {
        final String first = Files.writeString(directory.resolve("first"), "first").toString();
        final String second = Files.writeString(directory.resolve("second"), "second").toString();
        final String config = file("token-file = third").toString();
        final Map<String, String> variables = Map.of("KVCTL_TOKEN_FILE", second, "KVCTL_TOKEN", "variable");

        assertTrue(isToken("first", options(variables, "--token-file", first, "--config", config)));
        assertTrue(isToken("second", options(variables, "--config", config)));
        assertTrue(isToken("variable", options(Map.of("KVCTL_TOKEN", "variable"), "--config", config)));
    }

    private static boolean isToken(final String secret, final ServerOptions options)
    {
        return options.tokens().nameOf(secret.getBytes(UTF_8)) != null;
    }

    @Test
    void shouldFindFilesForTlsBesideTheFileThatNamesThem() throws Exception
    {
        final String config = file(
            "tls-certificate=a.crt\ntls-key=a.key\ntls-client-ca=ca.crt\nlisten=0.0.0.0:1").toString();
        final Map<String, String> ofClients =
            Map.of("KVCTL_TLS_CERTIFICATE", "client.crt", "KVCTL_TLS_KEY", "client.key", "KVCTL_TLS_CA", "other.crt");
        final TlsOptions tls = options(ofClients, "--config", config).tls();
        assertEquals(
            new TlsOptions(directory.resolve("a.crt"), directory.resolve("a.key"), directory.resolve("ca.crt")), tls);
        assertEquals(
            Path.of("b.key"), options(Map.of("KVCTL_SERVER_TLS_KEY", "b.key"), "--config", config).tls().key());
        assertNull(options(ofClients).tls());
    }

    @Test
    void shouldShowMembersTheCertificateForClientsUnlessThereIsAnother()
    {
        final List<String> forClients = List.of("--tls-certificate", "a.crt", "--tls-key", "a.key");
        assertNull(peerTls(forClients));
        assertEquals(TlsOptions.DEFAULT.certificate(Path.of("a.crt"), Path.of("a.key")).authorities(Path.of("ca.crt")),
            peerTls(forClients, "--tls-client-ca", "b.crt", "--tls-peer-ca", "ca.crt"));
        assertEquals(TlsOptions.DEFAULT.certificate(Path.of("c.crt"), Path.of("c.key")).authorities(Path.of("ca.crt")),
            peerTls(forClients, "--tls-peer-ca", "ca.crt", "--tls-peer-certificate", "c.crt", "--tls-peer-key",
                "c.key"));
        for (final String[] wrong : new String[][]{
            {"--tls-peer-ca", "ca.crt", "--tls-peer-certificate", "c.crt"},
            {"--tls-peer-ca", "ca.crt", "--tls-peer-key", "c.key"},
            {"--tls-peer-certificate", "c.crt", "--tls-peer-key", "c.key"}})
        {
            assertTrue(assertThrows(CommandException.class, () -> peerTls(forClients, wrong)).getMessage()
                .contains("--tls-peer-"));
        }
    }

    private TlsOptions peerTls(final List<String> first, final String... more)
    {
        final List<String> all = new ArrayList<>(first);
        all.addAll(List.of(more));
        return options(Map.of(), all.toArray(String[]::new)).peers().tls();
    }

    @Test
    void shouldRefuseCredentialsThatDoNotFit() throws Exception
    {
        Files.writeString(directory.resolve("one"), "secret");
        final String many = Files.writeString(directory.resolve("many"), "one:secret\n").toString();
        assertEquals(1, options(Map.of(), "--tokens-file", many).tokens().count());
        final String one = Files.writeString(directory.resolve("secret"), "x").toString();
        final String twice = "there is a secret for all and a file with several, take one of them away: ";
        assertEquals(twice + "variable=KVCTL_TOKEN tokens-file=" + many, assertThrows(
            CommandException.class,
            () -> options(Map.of("KVCTL_TOKEN", "x"), "--tokens-file", many)).getMessage());
        assertEquals(twice + "variable=KVCTL_TOKEN_FILE token-file=" + one + " tokens-file=" + many, assertThrows(
            CommandException.class,
            () -> options(Map.of("KVCTL_TOKEN_FILE", one), "--tokens-file", many)).getMessage());
        assertEquals(twice + "token-file=" + one + " tokens-file=" + many, assertThrows(
            CommandException.class,
            () -> options(Map.of("KVCTL_TOKEN_FILE", "other"), "--token-file", one, "--tokens-file", many))
            .getMessage());
        assertThrows(
            CommandException.class, () -> options(Map.of(), "--tokens-file", directory.resolve("one").toString()));
        assertThrows(CommandException.class, () -> options(Map.of(), "--tls-certificate", "a.crt"));
    }

    @Test
    void shouldTakeTheConfigurationsThatTheDocumentationShows() throws Exception
    {
        final Matcher page = Pattern.compile("```properties\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("..", "docs", "running.md")));
        assertTrue(page.find());
        Files.writeString(directory.resolve("token"), "secret");
        final ServerOptions shown = options(Map.of(), "--config", file(page.group(1)).toString(), "--memory", "1g");
        assertEquals("0.0.0.0", shown.listenHost());

        final String sample = Files.readString(Path.of("..", "docs", "deploy", "server.properties"));
        assertEquals(1L << 30, options(Map.of(), "--config", file(sample).toString()).memory());
        final String remote = sample
            .replaceFirst("(?m)^listen", "# listen")
            .replaceFirst("(?m)^# listen = 10", "listen = 10")
            .replace("# token-file", "token-file")
            .replace("# device =", "device =");
        final ServerOptions reachable = options(Map.of(), "--config", file(remote).toString());
        assertEquals("10.9.0.1", reachable.listenHost());
        assertEquals("tcp:10.9.0.1:7000", reachable.device());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "memry=1g|:1: unknown property, remove or correct it (kvctl server --help shows them as options): 'memry'",
        "config=other|:1: unknown property",
        "help=yes|:1: unknown property",
        "# all well\\nmemory=lots|:2: memory: not a size: 'lots'; write one like 512MiB or 2g",
        "shards=0|:1: shards: must be a whole number from 1 to 64: '0'",
        "credits=1025|:1: credits: must be a whole number from 1 to 1024: '1025'",
        "message-size=8001|:1: message-size: must be a multiple of 64",
        "lease=1ms|:1: lease: the time is out of range, 100ms to 1440m: '1ms'",
        "listen=here|:1: listen: not an address: 'here'",
        "rdma-timeout=32|:1: rdma-timeout: must be a whole number from 0 to 31: '32'",
        "rnr-retries=7|:1: rnr-retries: must be a whole number from 0 to 6, since a server must not wait for ever",
        "huge-pages=maybe|:1: huge-pages: must be auto, on or off: 'maybe'",
        "memory=|:1: memory has no value, give one or remove it",
        "log-format=xml|:1: log-format: must be text or json: 'xml'",
        "metrics=70000|:1: metrics: not an address: '127.0.0.1:70000'",
        "device=shn|:1: invalid value for device: no such device: device=shn, there are: ",
    })
    void shouldNameTheLineOfWhatCannotBe(final String text, final String message) throws Exception
    {
        final Path file = file(text.replace("\\n", "\n"));

        // A flag that overrides it does not make it right.
        assertUsage(
            CapturedRun.of("server", "--config", file.toString(), "--memory", "64m", "--credits", "1"),
            "kvctl server: " + file + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "KVCTL_SERVER_MEMORY|lots|invalid value for KVCTL_SERVER_MEMORY: not a size: 'lots'",
        "KVCTL_SERVER_SHARDS|65|invalid value for KVCTL_SERVER_SHARDS: must be a whole number from 1 to 64: '65'",
        "KVCTL_RDMA_TIMEOUT|32|invalid value for KVCTL_RDMA_TIMEOUT: must be a whole number from 0 to 31: '32'",
    })
    void shouldNameAVariableThatCannotBe(final String variable, final String value, final String message)
    {
        assertUsage(
            CapturedRun.with(Map.of(variable, value), new byte[0], "server"), "kvctl server: " + message);
    }

    @Test
    void shouldKnowVariablesThatAreNoSettings()
    {
        assertEquals(
            List.of("KVCTL_SERVER_MEMROY", "KVCTL_SERVER_PORT"),
            ServerSettings.unknown(Set.of("KVCTL_SERVER_PORT", "KVCTL_SERVER_MEMORY",
                "KVCTL_SERVER_CONFIG", "KVCTL_SERVER_MEMROY", "KVCTL_SERVER", "HOME")));
    }

    @Test
    void shouldNameAFileThatCannotBeRead()
    {
        final CapturedRun run = CapturedRun.of("server", "--config", directory.resolve("none").toString());

        assertEquals(ExitCode.FAILED, run.exitCode());
        assertEquals("kvctl server: cannot read the configuration file " + directory.resolve("none") +
            ": no such file or directory\n", run.err());
    }

    private static void assertUsage(final CapturedRun run, final String message)
    {
        assertEquals(ExitCode.USAGE, run.exitCode(), run.err());
        assertTrue(run.err().startsWith(message), "expected: " + message + " in: " + run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        assertEquals("", run.out());
    }

    private Path file(final String text) throws Exception
    {
        return Files.writeString(directory.resolve("server.properties"), text);
    }

    private static ServerOptions options(final Map<String, String> environment, final String... arguments)
    {
        final CommandLine commandLine = CommandModel.commandLine(environment);
        final String[] all = new String[arguments.length + 1];
        all[0] = "server";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        final ServerCommand command =
            (ServerCommand)commandLine.parseArgs(all).subcommand().commandSpec().userObject();
        return command.options(command.settings());
    }

    private static String text(final ServerOptions options)
    {
        return String.join(" ", options.listenHost(), "" + options.listenPort(), "" + options.memory(),
            "" + options.hugePages(), options.device(), "" + options.connection(),
            "" + options.spinNs(), "" + options.maxSessions(), "" + options.leaseNs(),
            "" + options.handshakeTimeoutNs(), "" + options.maxHandshakes(), "" + options.credits(),
            "" + options.messageLength(), "" + options.pullLimit(), "" + options.roomWaitNs(),
            options.evict().label());
    }
}
