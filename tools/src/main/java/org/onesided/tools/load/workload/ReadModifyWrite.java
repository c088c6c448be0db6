package org.onesided.tools.load.workload;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How a read-modify-write puts the value that it made from the one it read.
 */
public enum ReadModifyWrite
{
    /** As YCSB does: whatever the value is by then, so that what others wrote in between is lost. */
    PLAIN,
    /** If the value is still the one that was read. If it is not, that is a conflict, and nothing is put. */
    VERSION,
    /** As {@link #VERSION}, but a conflict begins it again, until the put takes effect or the phase ends. */
    RETRY;

    /**
     * @return its name on the command line.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * @return the names of all.
     */
    public static List<String> labels()
    {
        return Stream.of(values()).map(ReadModifyWrite::label).toList();
    }

    /**
     * @throws IllegalArgumentException if none has this name.
     */
    static ReadModifyWrite of(final String name)
    {
        return Stream.of(values()).filter(each -> each.label().equals(name)).findFirst().orElseThrow(() ->
            new IllegalArgumentException("no such read-modify-write, choose one of " + String.join(", ", labels()) +
                ": " + WorkloadSetting.READ_MODIFY_WRITE.property() + "=" + name));
    }
}
