package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ServerSettingTest
{
    @ParameterizedTest
    @EnumSource
    void shouldHaveADefaultWithinItsRange(final ServerSetting setting)
    {
        setting.check(setting.read());
        setting.check(setting.min());
        setting.check(setting.max());
        assertEquals(setting.read(), new ServerOptions().numbers().get(setting));
    }

    @Test
    void shouldHavePropertiesOfItsOwnEach()
    {
        final ServerSetting[] all = ServerSetting.values();
        assertEquals(all.length, Arrays.stream(all).map(ServerSetting::property).distinct().count());
        assertTrue(Arrays.stream(all).allMatch((setting) -> setting.property().startsWith("onesided.server.")));
    }

    @ParameterizedTest
    @CsvSource({"CREDITS, 32, 32", "MEMORY, 2m, 2097152", "SPIN, 20us, 20000"})
    void shouldStartWithItsProperty(final ServerSetting setting, final String text, final long value)
    {
        System.setProperty(setting.property(), text);
        try
        {
            assertEquals(value, new ServerOptions().numbers().get(setting));
        }
        finally
        {
            System.clearProperty(setting.property());
        }
    }

    @Test
    void shouldRefuseMoreMemoryFromTheStartThanAll()
    {
        final ServerOptions options = new ServerOptions().memory(1 << 20).memoryInitial((1 << 20) + 1);
        final String message =
            assertThrows(IllegalArgumentException.class, () -> StoreServer.start(options)).getMessage();
        assertTrue(message.endsWith("memoryInitial=1048577 memory=1048576"), message);
        ServerOptionRules.check(options.memoryInitial(1 << 20));
        ServerOptionRules.check(new ServerOptions().memory(1 << 20));
    }

    @Test
    void shouldNameTheOptionThatIsOutOfItsRange()
    {
        final ServerOptions options = new ServerOptions().credits(1025);
        assertEquals(
            "credits must be 1 to 1024: credits=1025",
            assertThrows(IllegalArgumentException.class, () -> StoreServer.start(options)).getMessage());
    }
}
