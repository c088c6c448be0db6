package org.onesided.tools.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onesided.tools.kvctl.console.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Where an option's value comes from.
 */
class OptionDefaultsTest
{
    @Test
    void shouldTakeTheFormOfTheOutputFromItsVariable()
    {
        final Map<String, String> environment = Map.of("KVCTL_OUTPUT", "json");
        assertNull(value(Map.of(), "--output", "mget", "k"));
        assertEquals("json", value(environment, "--output", "mget", "k"));
        assertEquals("table", value(environment, "--output", "mget", "-o", "table", "k"));
    }

    @Test
    void shouldTakeTheFormOfEveryCommandThatHasOne()
    {
        final List<String> without = List.of("kvctl", "kvctl quickstart", "kvctl server", "kvctl shell", "kvctl rdma",
            "kvctl rdma shell", "kvctl completion", "kvctl man", "kvctl data", "kvctl cluster",
            "kvctl cluster demo");
        for (final CommandSpec command : CommandModel.all())
        {
            assertEquals(
                !without.contains(command.qualifiedName()), command.findOption("--output") != null,
                command.qualifiedName());
        }
        for (final String form : new String[]{"plain", "table", "json"})
        {
            assertEquals(form, value(Map.of("KVCTL_OUTPUT", form), "--output", "load"));
            assertEquals(form, value(Map.of("KVCTL_OUTPUT", form), "--output", "put", "k", "v"));
        }
    }

    @Test
    void shouldTakeNoDeviceOfAStoreForARdmaCommand()
    {
        final OptionSpec device = CommandModel.commandLine(Map.of("KVCTL_DEVICE", "shm"))
            .parseArgs("rdma", "devices").subcommand().subcommand().commandSpec().findOption("--device");
        assertNull(device.getValue());
    }

    @Test
    void shouldNameTheVariableWhoseValueIsWrong()
    {
        for (final String[] wrong : new String[][]{
            {"KVCTL_DEADLINE", "soon", "not a time: 'soon'"},
            {"KVCTL_OUTPUT", "xml", "must be plain, table or json: 'xml'"}})
        {
            final CapturedRun run = CapturedRun.with(Map.of(wrong[0], wrong[1]), new byte[0], "get", "k");
            assertEquals(ExitCode.USAGE, run.exitCode());
            assertTrue(run.err().startsWith("kvctl get: invalid value for " + wrong[0] + ": "), run.err());
            assertTrue(run.err().contains(wrong[2]), run.err());
        }
        final CapturedRun given = CapturedRun.with(
            Map.of("KVCTL_DEADLINE", "1s"), new byte[0], "get", "--deadline", "soon", "k");
        assertTrue(given.err().startsWith("kvctl get: invalid value for option '--deadline'"), given.err());
    }

    @Test
    void shouldHelpWithoutLookingAtVariables()
    {
        assertEquals(
            ExitCode.DONE, CapturedRun.with(Map.of("KVCTL_DEADLINE", "soon"), new byte[0], "--help").exitCode());
    }

    private static String value(final Map<String, String> environment, final String option, final String... arguments)
    {
        final Object value = CommandModel.commandLine(environment)
            .parseArgs(arguments).subcommand().commandSpec().findOption(option).getValue();
        return value == null ? null : value.toString();
    }
}
