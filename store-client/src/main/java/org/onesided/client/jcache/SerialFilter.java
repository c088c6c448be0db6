package org.onesided.client.jcache;

import java.io.ObjectInputFilter;
import javax.cache.CacheException;

/**
 * Decides which classes may be deserialized: whoever can write to the store could otherwise make its clients build any
 * object of any class that they have. A JVM-wide filter holds besides.
 */
final class SerialFilter
{
    /**
     * Values of the JDK, none of which runs code of other classes beyond {@code equals}, {@code hashCode} and
     * {@code compareTo} of what it holds; and two of Spring's cache abstraction, which hold nothing else.
     */
    private static final String USUAL =
        "java.lang.Boolean;java.lang.Byte;java.lang.Character;java.lang.Short;java.lang.Integer;" +
        "java.lang.Long;java.lang.Float;java.lang.Double;java.lang.Number;java.lang.String;" +
        "java.lang.Object;java.lang.Enum;java.math.*;java.time.**;java.sql.Date;java.sql.Time;" +
        "java.sql.Timestamp;java.util.ArrayDeque;java.util.ArrayList;java.util.Arrays$ArrayList;" +
        "java.util.BitSet;java.util.CollSer;java.util.Collections$*;java.util.Currency;java.util.Date;" +
        "java.util.EnumMap;java.util.EnumSet$SerializationProxy;java.util.GregorianCalendar;" +
        "java.util.Calendar;java.util.HashMap;java.util.HashSet;java.util.ImmutableCollections$*;" +
        "java.util.JumboEnumSet;java.util.LinkedHashMap;java.util.LinkedHashSet;java.util.LinkedList;" +
        "java.util.Locale;java.util.RegularEnumSet;java.util.TreeMap;java.util.TreeSet;java.util.UUID;" +
        "org.springframework.cache.support.NullValue;org.springframework.cache.interceptor.SimpleKey;";
    private static final String LIMITS = "maxdepth=100;maxrefs=5000000;maxarray=67108864;";

    private SerialFilter()
    {
    }

    /**
     * Makes a filter.
     *
     * @param allowed patterns as of {@link ObjectInputFilter.Config#createFilter}, which come first; may be empty.
     * @param type    that the configuration of the cache names.
     * @return the filter, which rejects all other classes.
     */
    static ObjectInputFilter of(final String allowed, final Class<?> type)
    {
        final ObjectInputFilter own;
        try
        {
            own = ObjectInputFilter.Config.createFilter(
                LIMITS + allowed + ";" + USUAL + (type.isArray() ? "" : type.getName() + ";") + "!*");
        }
        catch (final IllegalArgumentException e)
        {
            throw new CacheException("serial-filter must be patterns of classes, such as com.example.books.*: " +
                "serial-filter=" + allowed, e);
        }
        final ObjectInputFilter whole = ObjectInputFilter.Config.getSerialFilter();
        return whole == null ? own : ObjectInputFilter.merge(own, whole);
    }

    /** The question whether one class may be deserialized. */
    static boolean allows(final ObjectInputFilter filter, final Class<?> type)
    {
        return filter.checkInput(new ClassInfo(type)) != ObjectInputFilter.Status.REJECTED;
    }

    /**
     * A class alone, without a stream.
     *
     * @param serialClass the class.
     */
    private record ClassInfo(Class<?> serialClass) implements ObjectInputFilter.FilterInfo
    {
        @Override
        public long arrayLength()
        {
            return -1;
        }

        @Override
        public long depth()
        {
            return 1;
        }

        @Override
        public long references()
        {
            return 1;
        }

        @Override
        public long streamBytes()
        {
            return 0;
        }
    }
}
