package org.onesided.client.jcache;

import java.lang.management.ManagementFactory;
import java.net.URI;
import javax.cache.CacheException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Registers the beans of caches with the platform's server, under the names that JSR-107 gives them. They belong to the
 * URI of a manager, so of two managers with one URI and different class loaders the later one is seen. Thread-safe.
 */
final class Beans
{
    static final String STATISTICS = "CacheStatistics";
    static final String CONFIGURATION = "CacheConfiguration";

    private Beans()
    {
    }

    /** Registers a bean, in place of the one that may have its name. */
    static void register(final Object bean, final String type, final URI manager, final String cache)
    {
        final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        final ObjectName name = name(type, manager, cache);
        try
        {
            try
            {
                server.registerMBean(bean, name);
            }
            catch (final InstanceAlreadyExistsException e)
            {
                unregister(type, manager, cache);
                server.registerMBean(bean, name);
            }
        }
        catch (final JMException e)
        {
            throw new CacheException("bean cannot be registered: name=" + name, e);
        }
    }

    /** Removes a bean, if it is there. */
    static void unregister(final String type, final URI manager, final String cache)
    {
        final ObjectName name = name(type, manager, cache);
        try
        {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        }
        catch (final InstanceNotFoundException e)
        {
            // It was off.
        }
        catch (final JMException e)
        {
            throw new CacheException("bean cannot be removed: name=" + name, e);
        }
    }

    private static ObjectName name(final String type, final URI manager, final String cache)
    {
        try
        {
            return new ObjectName(
                "javax.cache:type=" + type + ",CacheManager=" + safe(manager.toString()) + ",Cache=" + safe(cache));
        }
        catch (final JMException e)
        {
            throw new CacheException("name of a cache cannot be one of a bean: cache=" + cache, e);
        }
    }

    /** What JSR-107's reference does, quotes and patterns besides. */
    private static String safe(final String text)
    {
        return text.replaceAll("[:=\n,\"*?]", ".");
    }
}
