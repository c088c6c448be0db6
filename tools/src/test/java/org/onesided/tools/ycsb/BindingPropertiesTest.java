package org.onesided.tools.ycsb;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.tools.DocumentedTable;
import org.onesided.tools.settings.ClientSettings;
import org.onesided.tools.settings.SettingTable;
import site.ycsb.DBException;

final class BindingPropertiesTest
{
    @Test
    void shouldTakeYcsbsOwnPropertiesAndDefaults()
    {
        assertDoesNotThrow(() -> new BindingProperties(of("recordcount", "1000")).clientBuilder());
    }

    @Test
    void shouldTakeEachProperty(@TempDir final Path folder) throws Exception
    {
        final Path secret = folder.resolve("secret");
        Files.writeString(secret, "sesame\n");
        final Properties all = of(
            "onesided.server", "[::1]:1234",
            "onesided.token.file", secret.toString(),
            "onesided.tls", "true",
            "onesided.tls.ca", folder.resolve("ca").toString(),
            "onesided.tls.certificate", folder.resolve("certificate").toString(),
            "onesided.tls.key", folder.resolve("key").toString(),
            "onesided.device", "shm",
            "onesided.deadline", "250ms",
            "onesided.rdma.port", "2",
            "onesided.gid.index", "0",
            "onesided.service.level", "1",
            "onesided.traffic.class", "2",
            "onesided.rdma.timeout", "3",
            "onesided.rdma.retries", "4",
            "onesided.rnr.retries", "5",
            "onesided.min.rnr.timer", "6",
            "onesided.mirror.bytes", "0");
        assertEquals(ClientSettings.all().size(), all.size());
        assertDoesNotThrow(() -> new BindingProperties(all).clientBuilder());
    }

    @Test
    void shouldRefuseAPropertyThatIsNone()
    {
        final DBException failure = refused("onesided.sever", "127.0.0.1:1234");
        assertEquals("no such property: onesided.sever; there are [onesided.deadline, onesided.device, " +
            "onesided.gid.index, onesided.min.rnr.timer, onesided.mirror.bytes, onesided.rdma.port, " +
            "onesided.rdma.retries, onesided.rdma.timeout, onesided.rnr.retries, onesided.server, " +
            "onesided.service.level, onesided.tls, onesided.tls.ca, onesided.tls.certificate, onesided.tls.key, " +
            "onesided.token.file, onesided.traffic.class]",
            failure.getMessage());
    }

    @Test
    void shouldRefuseValuesOutOfRange()
    {
        assertEquals(
            "onesided.deadline: the time is out of range, 1us to 1440m: '0s'",
            refused("onesided.deadline", "0s").getMessage());
        assertEquals(
            "onesided.rdma.port: must be a whole number from 1 to 255: 'first'",
            refused("onesided.rdma.port", "first").getMessage());
        refused("onesided.gid.index", "256");
        refused("onesided.mirror.bytes", "-1");
    }

    @Test
    void shouldRefuseASecretThatIsNotThere()
    {
        refused("onesided.token.file", "/nowhere/secret");
    }

    @Test
    void shouldRefuseHalfOfWhatTlsNeeds()
    {
        refused("onesided.tls.key", "key");
        refused("onesided.tls", "maybe");
        assertThrows(DBException.class,
            () -> new BindingProperties(of("onesided.tls", "false", "onesided.tls.ca", "ca")).clientBuilder());
    }

    @Test
    void shouldDocumentEachProperty() throws Exception
    {
        DocumentedTable.in(Path.of("..", "docs", "ycsb.md"), "properties").assertIs(
            SettingTable.of("| property | default | |", ClientSettings.all(),
                (setting) -> List.of("`" + BindingProperties.name(setting) + "`")));
    }

    private static DBException refused(final String name, final String value)
    {
        return assertThrows(DBException.class, () -> new BindingProperties(of(name, value)).clientBuilder());
    }

    private static Properties of(final String... namesAndValues)
    {
        final Properties properties = new Properties();
        for (int i = 0; i < namesAndValues.length; i += 2)
        {
            properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
        }
        return properties;
    }
}
