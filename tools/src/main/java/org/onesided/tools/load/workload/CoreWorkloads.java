package org.onesided.tools.load.workload;

import java.util.Map;

/**
 * YCSB's core workloads, as properties: their mixes and distributions, without the numbers of records and operations
 * that YCSB's files have.
 */
public final class CoreWorkloads
{
    private static final Map<String, Map<String, String>> ALL = Map.of(
        "a", mix("0.5", "0.5", "0", "0", "0", "zipfian"),
        "b", mix("0.95", "0.05", "0", "0", "0", "zipfian"),
        "c", mix("1", "0", "0", "0", "0", "zipfian"),
        "d", mix("0.95", "0", "0.05", "0", "0", "latest"),
        "e", mix("0", "0", "0.05", "0.95", "0", "zipfian"),
        "f", mix("0.5", "0", "0", "0", "0.5", "zipfian"));

    private CoreWorkloads()
    {
    }

    /**
     * @param letter of the workload, in lower case: a to f.
     * @return its properties.
     * @throws IllegalArgumentException if there is none.
     */
    public static Map<String, String> properties(final String letter)
    {
        final Map<String, String> properties = ALL.get(letter);
        if (properties == null)
        {
            throw new IllegalArgumentException(
                "no such workload, choose a, b, c, d or f, or give a file with -P: workload=" + letter);
        }
        return properties;
    }

    private static Map<String, String> mix(
        final String read,
        final String update,
        final String insert,
        final String scan,
        final String readModifyWrite,
        final String distribution)
    {
        return Map.of(
            "readproportion", read,
            "updateproportion", update,
            "insertproportion", insert,
            "scanproportion", scan,
            "readmodifywriteproportion", readModifyWrite,
            WorkloadSetting.DISTRIBUTION.property(), distribution);
    }
}
