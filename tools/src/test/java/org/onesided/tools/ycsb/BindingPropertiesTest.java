package org.onesided.tools.ycsb;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
            BindingProperties.SERVER, "[::1]:1234",
            BindingProperties.TOKEN_FILE, secret.toString(),
            BindingProperties.TLS, "true",
            BindingProperties.TLS_CA, folder.resolve("ca").toString(),
            BindingProperties.TLS_CERTIFICATE, folder.resolve("certificate").toString(),
            BindingProperties.TLS_KEY, folder.resolve("key").toString(),
            BindingProperties.DEVICE, "shm",
            BindingProperties.DEADLINE_MS, "250",
            BindingProperties.RDMA_PORT, "2",
            BindingProperties.GID_INDEX, "0",
            BindingProperties.MIRROR_BYTES, "0");
        assertDoesNotThrow(() -> new BindingProperties(all).clientBuilder());
    }

    @Test
    void shouldRefuseAPropertyThatIsNone()
    {
        final DBException failure = refused("onesided.sever", "127.0.0.1:1234");
        assertEquals("no such property: onesided.sever; there are [onesided.deadline.ms, onesided.device, " +
            "onesided.gid.index, onesided.mirror.bytes, onesided.rdma.port, onesided.server, onesided.tls, " +
            "onesided.tls.ca, onesided.tls.certificate, onesided.tls.key, onesided.token.file]",
            failure.getMessage());
    }

    @Test
    void shouldRefuseNumbersOutOfRange()
    {
        assertEquals(
            "not a number from 1 to 86400000: onesided.deadline.ms=0",
            refused(BindingProperties.DEADLINE_MS, "0").getMessage());
        assertEquals(
            "not a number from 1 to 255: onesided.rdma.port=first",
            refused(BindingProperties.RDMA_PORT, "first").getMessage());
        refused(BindingProperties.GID_INDEX, "256");
        refused(BindingProperties.MIRROR_BYTES, "-1");
    }

    @Test
    void shouldRefuseASecretThatIsNotThere()
    {
        refused(BindingProperties.TOKEN_FILE, "/nowhere/secret");
    }

    @Test
    void shouldRefuseHalfOfWhatTlsNeeds()
    {
        refused(BindingProperties.TLS_KEY, "key");
        refused(BindingProperties.TLS, "maybe");
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
