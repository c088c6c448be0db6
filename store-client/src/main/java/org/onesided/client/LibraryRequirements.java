package org.onesided.client;

import org.agrona.UnsafeApi;

/**
 * What the library needs of the JVM it runs in.
 */
final class LibraryRequirements
{
    private static final String ADD_EXPORTS = "--add-exports java.base/jdk.internal.misc=ALL-UNNAMED";

    private LibraryRequirements()
    {
    }

    /**
     * Fails with one clear message where the JVM does not let Agrona reach raw memory.
     */
    static void check()
    {
        try
        {
            final long address = UnsafeApi.allocateMemory(Long.BYTES);
            UnsafeApi.freeMemory(address);
        }
        catch (final LinkageError e)
        {
            throw new UnsupportedOperationException(missing(), e);
        }
    }

    static String missing()
    {
        return "this JVM does not open raw memory to the store's client: start it with " + ADD_EXPORTS +
            " or put \"Add-Exports: java.base/jdk.internal.misc\" into the manifest of the executable jar";
    }
}
