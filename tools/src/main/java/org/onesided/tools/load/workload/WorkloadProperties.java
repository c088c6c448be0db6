package org.onesided.tools.load.workload;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads YCSB's properties. What is not given is as with YCSB, but for the numbers of records and operations. Not
 * thread-safe.
 */
public final class WorkloadProperties
{
    /** Records where nothing is said. */
    public static final long DEFAULT_RECORDS = 10_000;

    private static final Set<String> CORE_CLASSES =
        Set.of("site.ycsb.workloads.CoreWorkload", "com.yahoo.ycsb.workloads.CoreWorkload");

    /** What changes nothing here: names of tables and fields, of which there are none, and what only scans need. */
    private static final Set<String> NEEDLESS = Set.of(
        "table", "fieldnameprefix", "readallfieldsbyname", "minscanlength", "maxscanlength", "scanlengthdistribution",
        "minfieldlength");

    private final Map<String, String> values;
    private final Set<String> asked = new HashSet<>();

    /**
     * @param values by their names.
     */
    public WorkloadProperties(final Map<String, String> values)
    {
        this.values = new TreeMap<>(values);
    }

    /**
     * Reads the workload.
     *
     * @param name of it.
     * @return the workload.
     * @throws IllegalArgumentException if a property has a value that cannot be, or asks for what is not there.
     */
    public Workload workload(final String name)
    {
        requireOneOf("workload", CORE_CLASSES, "site.ycsb.workloads.CoreWorkload");
        requireOneOf("fieldlengthdistribution", Set.of("constant"), "constant");
        requireOneOf("readallfields", Set.of("true"), "true");
        if (decimal("scanproportion", 0) > 0)
        {
            throw new IllegalArgumentException("the store has no scan in the order of keys, so there is no workload " +
                "with scans; choose a, b, c, d or f: scanproportion=" + values.get("scanproportion"));
        }
        // Values are written whole, whatever it says: docs/load.md.
        text("writeallfields", "true");
        final long records = whole("recordcount", DEFAULT_RECORDS, 1);
        final long insertStart = whole("insertstart", 0, 0);
        return new Workload(
            name,
            new Mix(
                decimal("readproportion", 0.95),
                decimal("updateproportion", 0.05),
                decimal("insertproportion", 0),
                decimal("readmodifywriteproportion", 0)),
            distribution(),
            records,
            insertStart,
            whole("insertcount", records - insertStart, 0),
            whole("operationcount", 0, 0),
            number("fieldcount", 10, 1),
            number("fieldlength", 100, 1),
            new KeyNames("hashed".equals(text("insertorder", "hashed")), number("zeropadding", 1, 0)));
    }

    /**
     * @return {@code threadcount}, 1 if it is not given.
     */
    public int threads()
    {
        return number("threadcount", 1, 1);
    }

    /**
     * @return {@code target}, operations a second in all; 0 if it is not given.
     */
    public double target()
    {
        return decimal("target", 0);
    }

    /**
     * @return {@code maxexecutiontime} in seconds, 0 if it is not given.
     */
    public long longestSeconds()
    {
        return whole("maxexecutiontime", 0, 0);
    }

    /**
     * @return whether {@code dataintegrity} asks for verification.
     */
    public boolean isIntegrityAsked()
    {
        return "true".equalsIgnoreCase(text("dataintegrity", "false"));
    }

    /**
     * @return names of the properties that nobody has asked for, in their order: they have no effect.
     */
    public List<String> unused()
    {
        final Set<String> unused = new TreeSet<>(values.keySet());
        unused.removeAll(asked);
        unused.removeAll(NEEDLESS);
        return List.copyOf(unused);
    }

    private Distribution distribution()
    {
        final String name = text("requestdistribution", "uniform");
        return switch (name)
        {
            case "uniform" -> Distribution.UNIFORM;
            case "latest" -> Distribution.LATEST;
            case "zipfian", "ycsb-zipfian" -> Distribution.YCSB_ZIPFIAN;
            case "exact-zipfian" -> Distribution.EXACT_ZIPFIAN;
            default -> throw new IllegalArgumentException("there is no such distribution, choose uniform, latest, " +
                "ycsb-zipfian or exact-zipfian: requestdistribution=" + name);
        };
    }

    private void requireOneOf(final String name, final Set<String> possible, final String usual)
    {
        final String value = text(name, usual);
        if (!possible.contains(value))
        {
            throw new IllegalArgumentException(
                name + " can only be " + usual + ", leave it out: " + name + "=" + value);
        }
    }

    private String text(final String name, final String usual)
    {
        asked.add(name);
        final String value = values.getOrDefault(name, "").trim();
        return value.isEmpty() ? usual : value;
    }

    private long whole(final String name, final long usual, final long least)
    {
        final String text = text(name, Long.toString(usual));
        try
        {
            final long value = Long.parseLong(text);
            if (value >= least)
            {
                return value;
            }
        }
        catch (final NumberFormatException e)
        {
            throw notWhole(name, text, least, e);
        }
        throw notWhole(name, text, least, null);
    }

    private int number(final String name, final int usual, final int least)
    {
        final long value = whole(name, usual, least);
        if (value > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException("too large, up to " + Integer.MAX_VALUE + ": " + name + "=" + value);
        }
        return (int)value;
    }

    private double decimal(final String name, final double usual)
    {
        final String text = text(name, Double.toString(usual));
        try
        {
            return Double.parseDouble(text);
        }
        catch (final NumberFormatException e)
        {
            throw new IllegalArgumentException("not a number: " + name + "=" + text, e);
        }
    }

    private static IllegalArgumentException notWhole(
        final String name, final String text, final long least, final Exception cause)
    {
        return new IllegalArgumentException("not a whole number from " + least + ": " + name + "=" + text, cause);
    }
}
