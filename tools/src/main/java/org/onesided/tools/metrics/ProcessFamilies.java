package org.onesided.tools.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/**
 * Metrics of the process, with the names of Prometheus' own libraries.
 */
final class ProcessFamilies
{
    private static final double MS_PER_S = 1e3;
    private static final double NS_PER_S = 1e9;

    private ProcessFamilies()
    {
    }

    static void add(final Families families)
    {
        families.gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.",
            ManagementFactory.getRuntimeMXBean().getStartTime() / MS_PER_S);
        final com.sun.management.OperatingSystemMXBean system =
            (com.sun.management.OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
        families.counter("process_cpu_seconds", "Processor time of the process.",
            system.getProcessCpuTime() / NS_PER_S);
        if (system instanceof com.sun.management.UnixOperatingSystemMXBean)
        {
            families.gauge("process_open_fds", "Open file descriptors.",
                ((com.sun.management.UnixOperatingSystemMXBean)system).getOpenFileDescriptorCount());
        }
        final MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        families.gauge("jvm_memory_used_bytes", "Java memory in use.", heap.getUsed(), "area", "heap");
        families.gauge("jvm_memory_committed_bytes", "Java memory got from the system.", heap.getCommitted(),
            "area", "heap");
        families.gauge("jvm_memory_max_bytes", "Java memory at most.", heap.getMax(), "area", "heap");
        families.gauge("jvm_threads_current", "Threads of Java.",
            ManagementFactory.getThreadMXBean().getThreadCount());
        for (final GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans())
        {
            families.counter("jvm_gc_collections", "Garbage collections.", collector.getCollectionCount(),
                "gc", collector.getName());
            families.counter("jvm_gc_collection_seconds", "Time of garbage collections.",
                collector.getCollectionTime() / MS_PER_S, "gc", collector.getName());
        }
    }
}
