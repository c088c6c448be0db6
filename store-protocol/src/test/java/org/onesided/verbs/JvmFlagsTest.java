package org.onesided.verbs;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class JvmFlagsTest
{
    @Test
    void shouldFindWhatItNeedsHere()
    {
        assertDoesNotThrow(JvmFlags::check);
    }

    @Test
    void shouldNameTheFlagsThatTheVersionTakes()
    {
        assertEquals(
            "this JVM does not open raw memory to the store: start it with " +
                "--add-exports java.base/jdk.internal.misc=ALL-UNNAMED, or put " +
                "\"Add-Exports: java.base/jdk.internal.misc\" into the manifest of the executable jar: java=17",
            JvmFlags.missing(17, "ALL-UNNAMED"));
        assertEquals(
            "this JVM does not open raw memory to the store: start it with " +
                "--add-exports java.base/jdk.internal.misc=org.agrona (and, so that it does not warn, " +
                "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow), or put " +
                "\"Add-Exports: java.base/jdk.internal.misc\" into the manifest of the executable jar: java=25",
            JvmFlags.missing(25, "org.agrona"));
    }
}
