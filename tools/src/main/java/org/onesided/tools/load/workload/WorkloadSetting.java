package org.onesided.tools.load.workload;

import java.time.Duration;

/**
 * The settings of a workload that are both a property, as in YCSB's files, and an option of {@code kvctl load}. Each is
 * declared once: names, type, range of a number, default and meaning.
 */
public enum WorkloadSetting
{
    /** Records in the table. */
    RECORDS("recordcount", "--records", Long.class, 1, 1L << 40, 10_000, "10000", "Records in the table"),
    /** Operations of the run phase; 0 if its duration ends it. */
    OPERATIONS("operationcount", "--operations", Long.class, 0, Long.MAX_VALUE, 0, "as many as there is time for",
        "Operations of the run phase"),
    /** Threads of each client process. */
    THREADS("threadcount", "--threads", Integer.class, 1, 4096, 1, "1", "Threads of each client process"),
    /** Operations per second of all clients; 0 for as many as possible. */
    TARGET("target", "--target", Double.class, 0, 1_000_000_000, 0, "as many as possible",
        "Operations per second of all threads together, in the run phase"),
    /** Fields of a record. */
    FIELD_COUNT("fieldcount", "--field-count", Integer.class, 1, Workload.MAX_VALUE_LENGTH, 10, "10",
        "Fields of a record"),
    /** Bytes of a field. */
    FIELD_LENGTH("fieldlength", "--field-length", Integer.class, 1, Workload.MAX_VALUE_LENGTH, 100, "100",
        "Bytes of a field"),
    /** Time of the run phase; as a property in whole seconds, 0 for no limit. */
    DURATION("maxexecutiontime", "--duration", "TIME", Duration.class, 0, Long.MAX_VALUE, 10,
        "10s, or no limit if --operations is given", "Time of the run phase, such as 30s"),
    /** A {@link Distribution}. */
    DISTRIBUTION("requestdistribution", "--distribution", "NAME", String.class, 0, 0, 0, "the workload's",
        "Distribution of the keys: " + String.join(", ", Distribution.labels())),
    /** A {@link ReadModifyWrite}; YCSB has no such property. */
    READ_MODIFY_WRITE("onesided.readmodifywrite", "--rmw", String.join("|", ReadModifyWrite.labels()), String.class, 0,
        0, 0, ReadModifyWrite.PLAIN.label(), "Put of a read-modify-write: plain, as YCSB does; version: only if the " +
        "key is unchanged since it was read; retry: the same, again after each conflict"),
    /** How long the keys live that are put; YCSB has no such property. */
    TTL("onesided.ttl", "--ttl", "TIME", String.class, 0, 0, 0, "the server's --default-ttl",
        "How long the keys live that both phases put, such as 500ms, 10m or 30d; a missing key is then a miss, and " +
        "no failure"),
    /** Whether values are verified. */
    VERIFICATION("dataintegrity", "--verify", "", Boolean.class, 0, 0, 0, "if kvctl load wrote the values",
        "Verify each value that is read (--no-verify: do not)");

    private final String property;
    private final String option;
    private final String label;
    private final Class<?> type;
    private final long least;
    private final long most;
    private final long byDefault;
    private final String defaultText;
    private final String meaning;

    WorkloadSetting(
        final String property,
        final String option,
        final Class<? extends Number> type,
        final long least,
        final long most,
        final long byDefault,
        final String defaultText,
        final String meaning)
    {
        this(property, option, "N", type, least, most, byDefault, defaultText, meaning);
    }

    WorkloadSetting(
        final String property,
        final String option,
        final String label,
        final Class<?> type,
        final long least,
        final long most,
        final long byDefault,
        final String defaultText,
        final String meaning)
    {
        this.property = property;
        this.option = option;
        this.label = label;
        this.type = type;
        this.least = least;
        this.most = most;
        this.byDefault = byDefault;
        this.defaultText = defaultText;
        this.meaning = meaning;
    }

    /**
     * @return name of the property, YCSB's if it has one.
     */
    public String property()
    {
        return property;
    }

    /**
     * @return name of the option, with its dashes.
     */
    public String option()
    {
        return option;
    }

    /**
     * @return label of the option's value in the help; empty for a flag.
     */
    public String label()
    {
        return label;
    }

    /**
     * @return type of the option's value.
     */
    public Class<?> type()
    {
        return type;
    }

    /**
     * @return number if none is given; of a time, in seconds.
     */
    public long byDefault()
    {
        return byDefault;
    }

    /**
     * @return what holds if the setting is not given, in words.
     */
    public String defaultText()
    {
        return defaultText;
    }

    /**
     * @return meaning of the setting.
     */
    public String meaning()
    {
        return meaning;
    }

    /**
     * Checks a number's range.
     *
     * @param value to check.
     * @throws IllegalArgumentException if it is out of range.
     */
    public void check(final double value)
    {
        if (!(value >= least && value <= most))
        {
            throw outOfRange(type == Double.class ? Double.toString(value) : Long.toString((long)value), null);
        }
    }

    IllegalArgumentException outOfRange(final String text, final Exception cause)
    {
        return new IllegalArgumentException(property + " must be a " + (type == Double.class ? "" : "whole ") +
            "number from " + least + " to " + most + ": " + property + "=" + text, cause);
    }
}
