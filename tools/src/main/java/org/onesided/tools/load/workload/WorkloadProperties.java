package org.onesided.tools.load.workload;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.onesided.tools.settings.LifeTime;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads YCSB's properties. Defaults are those of YCSB, except for the numbers of records and operations. Not
 * thread-safe.
 */
public final class WorkloadProperties
{
    private static final Set<String> CORE_CLASSES =
        Set.of("site.ycsb.workloads.CoreWorkload", "com.yahoo.ycsb.workloads.CoreWorkload");

    /** Properties without effect here: names of tables and fields, which do not exist, and properties of scans. */
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
        // Has no effect, since values are always written whole: docs/load.md.
        text("writeallfields", "true");
        final long records = whole(WorkloadSetting.RECORDS);
        final long insertStart = whole("insertstart", 0, 0);
        return new Workload(
            name,
            new Mix(
                decimal("readproportion", 0.95),
                decimal("updateproportion", 0.05),
                decimal("insertproportion", 0),
                decimal("readmodifywriteproportion", 0)),
            Distribution.of(text(WorkloadSetting.DISTRIBUTION.property(), Distribution.UNIFORM.label())),
            records,
            insertStart,
            whole("insertcount", records - insertStart, 0),
            whole(WorkloadSetting.OPERATIONS),
            (int)whole(WorkloadSetting.FIELD_COUNT),
            (int)whole(WorkloadSetting.FIELD_LENGTH),
            new KeyNames(
                "hashed".equals(text("insertorder", "hashed")),
                (int)Math.min(whole("zeropadding", 1, 0), Integer.MAX_VALUE)),
            ReadModifyWrite.of(
                text(WorkloadSetting.READ_MODIFY_WRITE.property(), ReadModifyWrite.PLAIN.label())),
            ttlMs(text(WorkloadSetting.TTL.property(), "")));
    }

    private static long ttlMs(final String text)
    {
        try
        {
            return text.isEmpty() ? 0 : new LifeTime().convert(text).toMillis();
        }
        catch (final TypeConversionException e)
        {
            throw new IllegalArgumentException(e.getMessage() + ": " + WorkloadSetting.TTL.property() + "=" + text, e);
        }
    }

    /**
     * @return {@code threadcount}, 1 if it is not given.
     */
    public int threads()
    {
        return (int)whole(WorkloadSetting.THREADS);
    }

    /**
     * @return {@code target}, operations a second in all; 0 if it is not given.
     */
    public double target()
    {
        final double target = decimal(WorkloadSetting.TARGET.property(), WorkloadSetting.TARGET.byDefault());
        WorkloadSetting.TARGET.check(target);
        return target;
    }

    /**
     * @return {@code maxexecutiontime} in seconds, 0 if it is not given.
     */
    public long longestSeconds()
    {
        return whole(WorkloadSetting.DURATION.property(), 0, 0);
    }

    /**
     * @return whether {@code dataintegrity} asks for verification.
     */
    public boolean isIntegrityAsked()
    {
        return "true".equalsIgnoreCase(text(WorkloadSetting.VERIFICATION.property(), "false"));
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

    private long whole(final WorkloadSetting setting)
    {
        final String text = text(setting.property(), Long.toString(setting.byDefault()));
        try
        {
            final long value = Long.parseLong(text);
            setting.check(value);
            return value;
        }
        catch (final NumberFormatException e)
        {
            throw setting.outOfRange(text, e);
        }
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
