package org.onesided.server;

/**
 * The numbers of a server's options, and whether somebody has chosen them. Not thread-safe.
 */
final class SettingNumbers
{
    private static final ServerSetting[] SETTINGS = ServerSetting.values();

    /** Values by ordinal of their setting. */
    private final long[] numbers = new long[SETTINGS.length];
    /** By ordinal: whether somebody has chosen the value; if not, it is the default. */
    private final boolean[] given = new boolean[SETTINGS.length];

    /** Starts with the system properties' values. */
    SettingNumbers()
    {
        for (final ServerSetting setting : SETTINGS)
        {
            numbers[setting.ordinal()] = setting.read();
            given[setting.ordinal()] = System.getProperty(setting.property()) != null;
        }
    }

    void set(final ServerSetting setting, final long value)
    {
        numbers[setting.ordinal()] = value;
        given[setting.ordinal()] = true;
    }

    long get(final ServerSetting setting)
    {
        return numbers[setting.ordinal()];
    }

    /** Whether somebody has chosen the value; if not, it is the default. */
    boolean isGiven(final ServerSetting setting)
    {
        return given[setting.ordinal()];
    }
}
