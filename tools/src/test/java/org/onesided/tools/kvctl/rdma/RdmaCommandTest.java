package org.onesided.tools.kvctl.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.tools.kvctl.CapturedRun;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * What of {@code kvctl rdma} needs no RDMA device: the shm device stands in for one.
 */
class RdmaCommandTest
{
    @Test
    void shouldTellProgramsWhatWasFound()
    {
        final CapturedRun json = CapturedRun.of("rdma", "doctor", "-o", "json");
        assertTrue(json.out().matches(
            "\\{\"works\":(true|false),\"findings\":\\[" +
                ".*\\{\"level\":\"(pass|warn|fail|skip)\",\"topic\":\"libibverbs\",.*}]}\n"),
            json.out());
        final CapturedRun plain = CapturedRun.of("rdma", "doctor", "-o", "plain");
        assertTrue(plain.out().matches("(?s)works (true|false)\nfindings\\.0\\.level .*"), plain.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"devices", "doctor"})
    void shouldHelpWithTwoExamplesPerCommand(final String command)
    {
        final CapturedRun run = CapturedRun.of("rdma", command, "--help");

        assertEquals(ExitCode.DONE, run.exitCode());
        final List<String> lines = run.out().lines().toList();
        final List<String> examples = lines.subList(lines.indexOf("Examples:") + 1, lines.size());
        assertEquals(2, examples.size(), run.out());
        assertTrue(examples.stream().allMatch(line -> line.contains("kvctl rdma " + command)), run.out());
        assertTrue(lines.stream().allMatch(line -> line.length() <= 80), run.out());
        assertTrue(CapturedRun.of("rdma", "--help").out().contains(command));
    }

    @Test
    void shouldListADevice()
    {
        final CapturedRun run = CapturedRun.of("rdma", "devices", "--device", "shm");

        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        assertTrue(run.out().lines().anyMatch(line -> line.startsWith("*  shm     1     ACTIVE")), run.out());
        assertTrue(run.out().contains("\n* taken by default: shm port 1 GID 0 ("), run.out());
        assertFalse(run.out().contains("protection domains"), run.out());
        assertTrue(CapturedRun.of("rdma", "devices", "--device", "shm", "-v").out().contains("protection domains"));
    }

    @Test
    void shouldReadFromADeviceToItself()
    {
        final CapturedRun run = CapturedRun.of("rdma", "doctor", "--device", "shm");

        assertEquals(ExitCode.DONE, run.exitCode(), run.out());
        assertTrue(run.out().contains("\npass  loopback"), run.out());
        assertTrue(run.out().contains("\nRDMA works: shm port 1 GID 0 ("), run.out());
    }

    @Test
    void shouldFailTheDoctorOnAPathThatIsNotThere()
    {
        final CapturedRun run = CapturedRun.of("rdma", "doctor", "--device", "shm", "--gid-index", "200");

        assertEquals(ExitCode.FAILED, run.exitCode(), run.out());
        assertTrue(run.out().contains("fail  path"), run.out());
        assertTrue(run.out().contains("gid_index=200"), run.out());
        assertEquals("", run.err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "devices --device nope|kvctl rdma devices: get_device_list: EINVAL: no such device: device=nope",
        "doctor --device nope:x|kvctl rdma doctor: get_device_list: EINVAL: no such device: device=nope",
        "doctor --device shm --rdma-port 999|kvctl rdma doctor: invalid value for option '--rdma-port'",
        "doctor --device shm --gid-index x|kvctl rdma doctor: invalid value for option '--gid-index'",
    })
    void shouldTellOfAWrongCommandLineInOneLine(final String arguments, final String message)
    {
        final CapturedRun run = CapturedRun.of(("rdma " + arguments).split(" "));

        assertEquals(ExitCode.USAGE, run.exitCode(), run.err());
        assertEquals("", run.out());
        assertTrue(run.err().startsWith(message), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void shouldListTheNamesThatADeviceMayHave()
    {
        assertTrue(CapturedRun.of("rdma", "devices", "--device", "nope").err()
            .endsWith("device=nope, there are: [ibv, shm, tcp], or auto\n"));
        assertTrue(CapturedRun.of("get", "--device", "nope", "key").err().contains("there are: [auto, ibv, shm, tcp]"));
    }

    @Test
    void shouldTellADeviceThatIsNotThereFromANameThatNoDeviceHas()
    {
        final CapturedRun rdma = CapturedRun.of("rdma", "devices", "--device", "shm:x");
        assertEquals(ExitCode.NOT_FOUND, rdma.exitCode(), rdma.err());
        assertTrue(rdma.err().startsWith("kvctl rdma devices: get_device_list: ENODEV: there is one"), rdma.err());
        assertEquals(ExitCode.NOT_FOUND, CapturedRun.of("rdma", "shell", "--device", "shm:x").exitCode());
        assertEquals(ExitCode.NOT_FOUND, CapturedRun.of("rdma", "devices", "--device", "ibv:nope").exitCode());
        assertEquals(ExitCode.CANNOT_CONNECT, CapturedRun.of("get", "--device", "shm:x", "key").exitCode());
        assertEquals(ExitCode.CANNOT_CONNECT, CapturedRun.of("get", "--device", "ibv:nope", "key").exitCode());
        assertEquals(ExitCode.USAGE, CapturedRun.of("get", "--device", "nope", "key").exitCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"devices", "doctor", "pingpong -p 0 --timeout 1ms"})
    void shouldTakeAutoForTheBestRdmaDevice(final String command)
    {
        final String[] arguments = ("rdma " + command).split(" ");
        final CapturedRun plain = CapturedRun.of(arguments);
        final CapturedRun auto = CapturedRun.of(("rdma " + command + " --device auto").split(" "));

        assertEquals(plain.exitCode(), auto.exitCode(), auto.err());
        assertFalse(auto.err().contains("auto"), auto.err());
    }

    @Test
    void shouldNotTakeTheStoresSoftwareDeviceForAnRdmaDevice()
    {
        final CapturedRun run = CapturedRun.with(Map.of("KVCTL_DEVICE", "shm"), new byte[0], "rdma", "devices");

        assertFalse(run.out().contains("shm"), run.out());
    }
}
