package org.onesided.tools.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClientBuilder;
import org.onesided.server.ServerConfiguration;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.verbs.ConnectionOptions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class KvctlTest
{
    static List<String> commands()
    {
        return Commands.NAMES.stream().filter(name -> !"help".equals(name)).toList();
    }

    @Test
    void shouldGiveEachExitCodeItsPlace()
    {
        for (final ExitCode exitCode : ExitCode.values())
        {
            assertEquals(exitCode.ordinal(), exitCode.code());
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldHelpWithTwoExamplesPerCommand(final String command)
    {
        final CapturedRun run = CapturedRun.of(command, "--help");

        assertEquals(ExitCode.DONE, run.exitCode());
        assertEquals("", run.err());
        final List<String> lines = run.out().lines().toList();
        final List<String> examples = lines.subList(lines.indexOf("Examples:") + 1, lines.size());
        assertEquals(2, examples.size(), run.out());
        for (final String example : examples)
        {
            assertTrue(example.contains("kvctl ") && example.contains(" " + command), example);
        }
        assertTrue(lines.stream().allMatch(line -> line.length() <= 80), run.out());
        assertFalse(run.out().contains("\u001B"), run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"kvctl", "get", "server"})
    void shouldTellTheTrueDefaults(final String command)
    {
        final ConnectionOptions defaults = StoreClientBuilder.DEFAULT_CONNECTION;
        assertEquals(defaults, ServerConfiguration.CONNECTION_DEFAULT);
        final CapturedRun run =
            "kvctl".equals(command) ? CapturedRun.of("--help-all") : CapturedRun.of(command, "--help-all");
        final String help = run.out().replaceAll("\\s+", " ");
        for (final String part : List.of(
            "KVCTL_DEVICE, else " + StoreClientBuilder.DEFAULT_DEVICE + ".",
            "KVCTL_SERVICE_LEVEL, else " + defaults.serviceLevel() + ".",
            "KVCTL_TRAFFIC_CLASS, else " + defaults.trafficClass() + ".",
            "KVCTL_RDMA_TIMEOUT, else " + defaults.timeout() + " (67 ms).",
            "KVCTL_RDMA_RETRIES, else " + defaults.retryCount() + ".",
            "KVCTL_RNR_RETRIES, else " + defaults.rnrRetry() + ".",
            "KVCTL_MIN_RNR_TIMER, else " + defaults.minRnrTimer() + " (0.64 ms)."))
        {
            assertTrue(help.contains(part), "expected: " + part + " in: " + help);
        }
    }

    @Test
    void shouldHelpWithAllCommands()
    {
        final CapturedRun run = CapturedRun.of("--help");

        assertEquals(ExitCode.DONE, run.exitCode());
        for (final String part : List.of(
            "KVCTL_SERVER", "KVCTL_DEVICE", "KVCTL_TOKEN", "KVCTL_DEADLINE", "127.0.0.1:19875"))
        {
            assertTrue(CapturedRun.of("--help-all").out().contains(part), part);
            assertFalse(run.out().contains(part), part);
        }
        assertTrue(run.out().contains("Exit codes") && run.out().contains("--help-all"), run.out());
        for (final String command : Commands.NAMES)
        {
            assertTrue(run.out().contains("\n  " + command + " "), command);
        }
        // The first is made without looking at all commands' options.
        assertEquals(run.out(), CapturedRun.of("help").out());
        assertEquals(run.out(), CapturedRun.of("-h").out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "put", "mget", "import", "load", "stats"})
    void shouldHelpWithACommandsOwnOptionsFirst(final String command)
    {
        final String help = CapturedRun.of(command, "--help").out();
        final String all = CapturedRun.of(command, "--help-all").out();

        assertTrue(help.contains("--output") && help.contains("--help-all"), help);
        for (final String option : List.of("--server", "--tls-ca", "--gid-index", "--deadline", "RDMA options:"))
        {
            assertFalse(help.contains(option + '='), help);
            assertTrue(all.contains(option), all);
        }
        assertFalse(help.contains("RDMA options:"), help);
        assertEquals(help, CapturedRun.of("help", command).out());
        assertTrue(help.contains("Usage: kvctl " + command + " "), help);
    }

    @Test
    void shouldHelpWithTheOptionsThatACommandIsAbout()
    {
        assertTrue(CapturedRun.of("rdma", "doctor", "--help").out().contains("--gid-index"));
        assertTrue(CapturedRun.of("cluster", "status", "--help").out().contains("--server"));
        final String server = CapturedRun.of("server", "--help").out();
        assertTrue(server.contains("--device") && server.contains("--token-file"), server);
        assertFalse(server.contains("--rdma-retries="), server);
    }

    @Test
    void shouldInstallManualPages(@TempDir final Path directory) throws Exception
    {
        final CapturedRun run = CapturedRun.of("man", "--install", "--directory", directory.toString());
        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        assertTrue(run.err().contains(directory.resolve("man1") + ": man kvctl"), run.err());
        for (final CommandSpec command : CommandModel.all())
        {
            final String page = Files.readString(
                directory.resolve("man1").resolve(command.qualifiedName("-") + ".1"));
            assertTrue(page.startsWith(".TH KVCTL"), page);
            for (final OptionSpec option : command.options())
            {
                assertTrue(option.hidden() || page.contains(option.longestName().replace("-", "\\-")),
                    option.longestName());
            }
            assertTrue(page.contains("\n.SH EXAMPLES\n"), page);
        }
        assertEquals(Files.readString(directory.resolve("man1/kvctl-cluster-create.1")),
            CapturedRun.of("man", "cluster", "create").out());
        assertUsage(CapturedRun.of("man", "gett"), "no such command: gett, did you mean kvctl get?");
        assertUsage(CapturedRun.of("man", "--install", "get"), "give no command with it");
        assertUsage(CapturedRun.of("man", "--directory", "x"), "--directory is of --install");
    }

    @Test
    void shouldFailWhereAPageCannotBeWritten()
    {
        final CapturedRun run = CapturedRun.of("man", "--install", "--directory", "/proc/none");
        assertEquals(ExitCode.FAILED, run.exitCode());
        assertTrue(run.err().startsWith("kvctl man: cannot write /proc/none/man1: "), run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rdma", "data"})
    void shouldShowTheHelpOfWhatHasCommands(final String group)
    {
        final CapturedRun run = group.isEmpty() ? CapturedRun.of() : CapturedRun.of(group);
        final CapturedRun help = group.isEmpty() ? CapturedRun.of("--help") : CapturedRun.of(group, "--help");

        assertEquals(ExitCode.DONE, run.exitCode());
        assertTrue(run.out().contains("Commands:"), run.out());
        assertEquals(help.out(), run.out());
        assertEquals("", run.err());
    }

    @Test
    void shouldTellItsVersion()
    {
        final CapturedRun run = CapturedRun.of("--version");

        assertEquals(ExitCode.DONE, run.exitCode());
        assertTrue(run.out().matches("kvctl \\S.*\n"), run.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "gett|kvctl: no such command: gett, did you mean kvctl get?; see kvctl --help",
        "del k|kvctl: no such command: del, use kvctl delete; see kvctl --help",
        "SET k v|kvctl: no such command: SET, use kvctl put; see",
        "exists k|no such command: exists, use kvctl ttl KEY, whose exit code is 3 if the key is absent; see",
        "getset k v|use kvctl get --show-version KEY, then put --if-version VERSION KEY VALUE; see",
        "gets k|no such command: gets, use kvctl get --show-version KEY; see",
        "scan|no such command: scan, use kvctl export --prefix TEXT; see",
        "keys *|no such command: keys, use kvctl export --prefix TEXT; see",
        "xyzzy|kvctl: no such command: xyzzy; see kvctl --help",
        "--nonsense|kvctl: unknown option: '--nonsense'",
        "rdma sing|kvctl rdma: no such command: sing; see kvctl rdma --help",
        "rdma doktor|kvctl rdma: no such command: doktor, did you mean kvctl rdma doctor?; see kvctl rdma --help",
        "put|kvctl put: missing required parameters: 'KEY', 'VALUE|-'; see kvctl put --help",
        "put k|kvctl put: missing required parameter: 'VALUE|-'",
        "put k v w|kvctl put: unmatched argument at index 3: 'w'",
        "put --nonsense k v|before a key or value that begins with - write --; see kvctl put --help",
        "put k -x.|kvctl put: unknown option: '-x.'; before a key or value that begins with - write --",
        "put k --more|kvctl put: unknown option: '--more'; before a key or value that begins with - write --",
        "get|kvctl get: missing required parameter: 'KEY'",
        "delete|kvctl delete: missing required parameter: 'KEY",
        "import|kvctl import: missing required parameter: 'FILE|-'",
        "import --format xml f|kvctl import: invalid value for option '--format': must be tsv or jsonl: 'xml'",
        "get -oxml k|kvctl get: invalid value for option '-o': must be plain, table or json: 'xml'",
        "ping -c x|kvctl ping: invalid value for option '-c': 'x' is not a whole number",
        "ping --count=x|kvctl ping: invalid value for option '--count': 'x' is not a whole number",
        "put --if-version x k v|invalid value for option '--if-version': not a version: 'x'; take one from kvctl get",
        "put --if-absent --if-present k v|put: one condition only: --if-absent, --if-present or --if-version",
        "put --if-absent --if-version 1-1 k v|put: one condition only: --if-absent, --if-present or --if-version",
        "delete --if-version 1-1 a b|delete: one key only with --if-version",
        "delete --if-version 1 a|invalid value for option '--if-version': not a version: '1'",
        "incr k x|incr: invalid value for positional parameter at index 1 (DELTA): 'x' is not a whole number",
        "incr k 99999999999999999999|index 1 (DELTA): '99999999999999999999' is not a whole number of 64 bits",
        "incr --by 3 k|kvctl incr: unknown option: '--by'",
        "incr k 1 --initial x|incr: invalid value for option '--initial': 'x' is not a whole number",
        "get --deadline 5 k|not a time: '5'; write one like 50us, 500ms, 5s or 2m",
        "get --deadline 0s k|the time is out of range",
        "get --gid-index 256 k|option '--gid-index': must be a whole number from 0 to 255: '256'",
        "--rdma-port 0 get k|option '--rdma-port': must be a whole number from 1 to 255: '0'",
        "get --service-level x k|kvctl get: invalid value for option '--service-level'",
        "server --rdma-timeout 32|option '--rdma-timeout': must be a whole number from 0 to 31: '32'",
        "server --rnr-retries 7|from 0 to 6, since a server must not wait for ever",
        "server --memory much|not a size: 'much'; write one like 512MiB or 2g",
        "server --memory 0|the size is out of range: '0'",
        "server --huge-pages maybe|must be auto, on or off: 'maybe'",
        "server --shards x|kvctl server: invalid value for option '--shards'",
        "server --shards 0|kvctl server: ",
        "server --default-ttl 100000d|the time is out of range, 1ms to 36525d, or never: '100000d'",
        "put --ttl 100000d a b|the time is out of range, 1ms to 36525d, or never: '100000d'",
        "server --default-ttl 5w|not a time: '5w'; write one like 500ms, 10m, 1h30m or 30d, or never",
        "put --ttl ever k v|not a time: 'ever'; write one like 500ms, 10m, 1h30m or 30d, or never",
        "touch k 36526d|the time is out of range, 1ms to 36525d: '36526d'",
        "get --token-file|kvctl get: missing required parameter for option '--token-file'",
    })
    void shouldTellOfAWrongCommandLineInOneLine(final String arguments, final String message)
    {
        final CapturedRun run = CapturedRun.of(arguments.isEmpty() ? new String[0] : arguments.split(" "));

        assertUsage(run, message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "get", "delete", "getdel", "incr", "append", "touch", "persist", "ttl"})
    void shouldRefuseAnEmptyKeyBeforeAnythingElse(final String command)
    {
        final String[] arguments =
            List.of("put", "append").contains(command) ? new String[]{command, "", "v"} :
            "touch".equals(command) ? new String[]{command, "", "1s"} : new String[]{command, ""};

        assertUsage(CapturedRun.of(arguments), "kvctl " + command + ": the key is empty");
    }

    @Test
    void shouldNotReadArgumentsFromFiles()
    {
        assertUsage(CapturedRun.of("get", "@/etc/hostname", "x"), "get: one key only, kvctl mget takes many: 'x'");
    }

    @Test
    void shouldKeepControlCharactersOutOfMessages()
    {
        assertUsage(CapturedRun.of("a\nb\u001B[31m"), "no such command: a\\nb\\x1B[31m");
    }

    @Test
    void shouldNameAVariableThatIsOutOfRange()
    {
        final CapturedRun run = CapturedRun.with(Map.of("KVCTL_GID_INDEX", "two"), new byte[0], "get", "k");
        assertUsage(run, "kvctl get: invalid value for KVCTL_GID_INDEX: must be a whole number from 0 to 255: 'two'");
        // An option counts more, so that the variable is not even looked at.
        final CapturedRun other = CapturedRun.with(
            Map.of("KVCTL_GID_INDEX", "two", "KVCTL_TRAFFIC_CLASS", "999"), new byte[0],
            "--gid-index", "1", "get", "k");
        assertUsage(
            other, "kvctl get: invalid value for KVCTL_TRAFFIC_CLASS: must be a whole number from 0 to 255: '999'");
    }

    @Test
    void shouldRefuseAClientsDeviceThatSaysWhereToListen()
    {
        assertUsage(CapturedRun.of("get", "--device", "shm,tcp:127.0.0.1:7000", "k"),
            "a client's device listens nowhere, the server tells where it does; give the kind alone: " +
            "device=tcp:127.0.0.1:7000");
    }

    @Test
    void shouldTakeTheKindAloneFromAVariableThatServersReadToo()
    {
        final CapturedRun run = CapturedRun.with(
            Map.of("KVCTL_DEVICE", "tcp:127.0.0.1:7000"), new byte[0], "get", "--server", "127.0.0.1:1", "k");

        assertEquals(ExitCode.CANNOT_CONNECT, run.exitCode(), run.err());
    }

    @Test
    void shouldNameATokenFileThatCannotBeRead()
    {
        final CapturedRun run = CapturedRun.of("get", "--token-file", "/nonexistent/token", "k");

        assertEquals(ExitCode.FAILED, run.exitCode());
        assertEquals(
            "kvctl get: cannot read the token file /nonexistent/token: no such file or directory\n", run.err());
    }

    @ParameterizedTest
    @CsvSource({"/nonexistent.tsv,no such file or directory", "/proc,it is a directory"})
    void shouldNameAnImportFileThatCannotBeRead(final String file, final String reason)
    {
        final CapturedRun run = CapturedRun.of("import", file);

        assertEquals(ExitCode.FAILED, run.exitCode());
        assertEquals("kvctl import: cannot read " + file + ": " + reason + "\n", run.err());
    }

    @Test
    void shouldShowAStackTraceOnlyWhenAsked()
    {
        final String[] arguments = {"get", "--token-file", "/nonexistent/token", "k"};
        final String[] verbose = {"get", "--token-file", "/nonexistent/token", "--verbose", "k"};

        assertFalse(CapturedRun.of(arguments).err().contains("\tat "));
        assertTrue(CapturedRun.of(verbose).err().contains("\tat "));
        assertTrue(CapturedRun.with(Map.of("KVCTL_VERBOSE", "1"), new byte[0], arguments).err().contains("\tat "));
    }

    private static void assertUsage(final CapturedRun run, final String message)
    {
        assertEquals(ExitCode.USAGE, run.exitCode(), run.err());
        assertEquals("", run.out());
        assertTrue(run.err().contains(message), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }
}
