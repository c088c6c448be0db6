package org.onesided.tools.kvctl.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.settings.BrokenSettingException;
import org.onesided.tools.settings.ClientSettings;
import org.onesided.tools.settings.RdmaSetting;
import org.onesided.tools.settings.Setting;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Which of the places that may have a setting's value wins.
 */
class GivenSettingsTest
{
    @ParameterizedTest
    @CsvSource({
        "server, a:1, b:2, c:3",
        "device, shm, ibv, ibv:mlx5_0",
        "token-file, one, two, three",
        "deadline, 1ms, 2s, 3m",
        "tls-ca, one, two, three",
        "rdma-retries, 1, 2, 3",
    })
    void shouldTakeTheNearest(final String name, final String far, final String near, final String nearest)
    {
        final Setting<?> setting =
            ClientSettings.all().stream().filter((each) -> each.name().equals(name)).findAny().orElseThrow();
        final Map<String, String> environment = Map.of(setting.variable(), far);
        final String[] none = {};
        final String[] before = {setting.option(), near};
        final String[] behind = {setting.option(), nearest};
        assertNull(value(setting, Map.of(), none, none));
        assertEquals(setting.read(far, ""), value(setting, environment, none, none));
        assertEquals(setting.read(near, ""), value(setting, environment, before, none));
        assertEquals(setting.read(nearest, ""), value(setting, environment, before, behind));
        assertEquals(setting.read(nearest, ""), value(setting, environment, none, behind));
    }

    @Test
    void shouldSetAFlagByAVariableOfAnyValue()
    {
        final String[] none = {};
        assertNull(value(ClientSettings.TLS, Map.of(), none, none));
        assertEquals(true, value(ClientSettings.TLS, Map.of("KVCTL_TLS", "yes"), none, none));
        assertEquals(true, value(ClientSettings.TLS, Map.of(), none, new String[]{"--tls"}));
    }

    @Test
    void shouldNameTheVariableWithAWrongValue()
    {
        final Setting<Integer> port = RdmaSetting.PORT.setting();
        assertEquals(
            "invalid value for KVCTL_RDMA_PORT: must be a whole number from 1 to 255: '0'",
            assertThrows(BrokenSettingException.class, () ->
                value(port, Map.of("KVCTL_RDMA_PORT", "0"), new String[0], new String[0])).getMessage());
    }

    @Test
    void shouldTakeSeveralOptionsOfOneGroup()
    {
        final SettingOptions options = parse("--tls-ca", "a", "--tls", "--rdma-port", "2", "--tls-key", "k");
        assertTrue(options.isAnyGiven(ClientSettings.tls()));
        assertFalse(parse("--rdma-port", "2").isAnyGiven(ClientSettings.tls()));
        assertEquals("[--rdma-port, 2]", options.arguments(RdmaSetting.settings()).toString());
    }

    private static <T> T value(
        final Setting<T> setting, final Map<String, String> environment, final String[] before, final String[] behind)
    {
        final Surroundings surroundings = new Surroundings(
            InputStream.nullInputStream(), OutputStream.nullOutputStream(), System.err, environment, false, false,
            false);
        return new GivenSettings(parse(behind), parse(before), surroundings).value(setting);
    }

    private static SettingOptions parse(final String... arguments)
    {
        final SettingOptions options = ClientOptions.declare();
        new CommandLine(CommandSpec.create().addMixin("connection", options.spec())).parseArgs(arguments);
        return options;
    }
}
