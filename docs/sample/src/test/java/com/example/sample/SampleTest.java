package com.example.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.junit.OnesidedServer;

/**
 * Runs against a server that is started for it, in the same process.
 */
@OnesidedServer
class SampleTest {
    @Test
    void leavesNoCityBehind(final StoreClient store) {
        Sample.run(store);
        assertNull(store.get("Lima"));
    }

    @Test
    void leavesOtherKeysAlone(final StoreClient store) {
        store.put("Cairo", "10,203,000");
        Sample.run(store);
        assertEquals("10,203,000", store.get("Cairo"));
    }
}
