package org.onesided.endtoend.ycsb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What there is of YCSB's distribution that the documentation's commands use: its jars and its workloads.
 */
final class YcsbFolder
{
    /** YCSB's jar and those that it needs. */
    private static final List<String> JARS = List.of("core-0.17.0", "htrace-core4", "jackson-mapper-asl",
        "jackson-core-asl", "HdrHistogram");

    /** Shares of reads, updates, inserts and read-modify-writes, and the distribution, of the core workloads. */
    private static final Map<String, String> WORKLOADS = Map.of(
        "a", "0.5 0.5 0 0 zipfian",
        "b", "0.95 0.05 0 0 zipfian",
        "c", "1 0 0 0 zipfian",
        "d", "0.95 0 0.05 0 latest",
        "f", "0.5 0 0 0.5 zipfian");

    private YcsbFolder()
    {
    }

    /** Fills an empty folder. */
    static void make(final Path folder) throws IOException
    {
        final Path lib = Files.createDirectory(folder.resolve("lib"));
        for (final String name : JARS)
        {
            final Path jar = jar(name);
            Files.copy(jar, lib.resolve(jar.getFileName()));
        }
        final Path workloads = Files.createDirectory(folder.resolve("workloads"));
        for (final Map.Entry<String, String> workload : WORKLOADS.entrySet())
        {
            final String[] parts = workload.getValue().split(" ");
            Files.writeString(workloads.resolve("workload" + workload.getKey()), String.join("\n",
                "recordcount=1000",
                "operationcount=1000",
                "workload=site.ycsb.workloads.CoreWorkload",
                "readproportion=" + parts[0],
                "updateproportion=" + parts[1],
                "insertproportion=" + parts[2],
                "readmodifywriteproportion=" + parts[3],
                "scanproportion=0",
                "requestdistribution=" + parts[4],
                // Field values follow from key and field, and every read is checked.
                "dataintegrity=true",
                "fieldcount=10",
                "fieldlength=100",
                ""));
        }
    }

    private static Path jar(final String name)
    {
        for (final String entry : System.getProperty("java.class.path").split(":"))
        {
            final Path jar = Path.of(entry);
            final String file = jar.getFileName().toString();
            if (file.startsWith(name) && file.endsWith(".jar"))
            {
                return jar.toAbsolutePath();
            }
        }
        throw new IllegalStateException("no such jar on the class path: name=" + name);
    }
}
