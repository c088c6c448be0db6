package org.onesided.tools.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClientBuilder;

/**
 * Defaults that are told are those of the client.
 */
class ClientSettingsTest
{
    @Test
    void shouldTellTheTrueDefaults()
    {
        assertEquals(
            StoreClientBuilder.DEFAULT_DEADLINE,
            ClientSettings.DEADLINE.read(ClientSettings.DEADLINE.byDefault(), "default"));
        assertEquals(
            StoreClientBuilder.DEFAULT_MIRROR_BYTES,
            ClientSettings.MIRROR_BYTES.read(ClientSettings.MIRROR_BYTES.byDefault(), "default"));
    }
}
