package org.onesided.server.raft;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.util.TimeDuration;

/**
 * Ratis counts and times each step of an entry, dozens per entry. Nobody reads that, so this counts nothing but
 * {@link PendingForces}. Ratis finds it as a service.
 */
public final class NoMetrics extends MetricRegistries
{
    private static final Timekeeper.Context NO_TIME = () -> 0;
    private static final Timekeeper NO_TIMER = () -> NO_TIME;
    private static final LongCounter NO_COUNTER = new LongCounter()
    {
        @Override
        public void inc(final long n)
        {
        }

        @Override
        public void dec(final long n)
        {
        }

        @Override
        public long getCount()
        {
            return 0;
        }
    };

    /**
     * Called by Ratis.
     */
    public NoMetrics()
    {
    }

    @Override
    public void clear()
    {
    }

    @Override
    public RatisMetricRegistry create(final MetricRegistryInfo info)
    {
        return new NoRegistry(info);
    }

    @Override
    public boolean remove(final MetricRegistryInfo key)
    {
        return true;
    }

    @Override
    public Optional<RatisMetricRegistry> get(final MetricRegistryInfo info)
    {
        return Optional.of(new NoRegistry(info));
    }

    @Override
    public Set<MetricRegistryInfo> getMetricRegistryInfos()
    {
        return Set.of();
    }

    @Override
    public Collection<RatisMetricRegistry> getMetricRegistries()
    {
        return List.of();
    }

    @Override
    public void addReporterRegistration(
        final Consumer<RatisMetricRegistry> reporterRegistration,
        final Consumer<RatisMetricRegistry> stopReporter)
    {
    }

    @Override
    public void enableJmxReporter()
    {
    }

    @Override
    public void enableConsoleReporter(final TimeDuration consoleReportRate)
    {
    }

    private record NoRegistry(MetricRegistryInfo info) implements RatisMetricRegistry
    {
        @Override
        public Timekeeper timer(final String name)
        {
            final Timekeeper forces = PendingForces.timer(info, name);
            return forces == null ? NO_TIMER : forces;
        }

        @Override
        public LongCounter counter(final String name)
        {
            return NO_COUNTER;
        }

        @Override
        public boolean remove(final String name)
        {
            return true;
        }

        @Override
        public <T> void gauge(final String name, final Supplier<Supplier<T>> gaugeSupplier)
        {
        }

        @Override
        public MetricRegistryInfo getMetricRegistryInfo()
        {
            return info;
        }
    }
}
