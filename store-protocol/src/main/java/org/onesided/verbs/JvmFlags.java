package org.onesided.verbs;

import org.agrona.UnsafeApi;

/**
 * Flags that the JVM needs. Thread-safe.
 */
public final class JvmFlags
{
    private static final String PACKAGE = "java.base/jdk.internal.misc";
    /** From this version on, Java warns of native code and raw memory without the flags below. */
    private static final int FIRST_THAT_WARNS = 24;

    private JvmFlags()
    {
    }

    /**
     * Fails with one clear message where the JVM does not let Agrona reach raw memory.
     *
     * @throws UnsupportedOperationException naming the flag that is missing, as this JVM takes it.
     */
    public static void check()
    {
        try
        {
            final long address = UnsafeApi.allocateMemory(Long.BYTES);
            UnsafeApi.freeMemory(address);
        }
        catch (final LinkageError e)
        {
            throw new UnsupportedOperationException(missing(Runtime.version().feature(), target()), e);
        }
    }

    /**
     * @param version of Java.
     * @param target  module that raw memory must be opened to.
     * @return what to tell.
     */
    static String missing(final int version, final String target)
    {
        final String others = version < FIRST_THAT_WARNS ? "" :
            " (and, so that it does not warn, --enable-native-access=ALL-UNNAMED " +
                "--sun-misc-unsafe-memory-access=allow)";
        return "this JVM does not open raw memory to the store: start it with --add-exports " + PACKAGE + "=" + target +
            others + ", or put \"Add-Exports: " + PACKAGE + "\" into the manifest of the executable jar: java=" +
            version;
    }

    private static String target()
    {
        final Module module = UnsafeApi.class.getModule();
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }
}
