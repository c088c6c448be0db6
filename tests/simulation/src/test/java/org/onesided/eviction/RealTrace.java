package org.onesided.eviction;

import java.util.Locale;

/** A real trace: where the jar of Caffeine's simulator has it, and how it is written there. */
enum RealTrace
{
    MULTI1("lirs/multi1.trace.gz", Format.LINES),
    MULTI2("lirs/multi2.trace.gz", Format.LINES),
    MULTI3("lirs/multi3.trace.gz", Format.LINES),
    CPP("lirs/cpp.trace.gz", Format.LINES),
    CS("lirs/cs.trace.gz", Format.LINES),
    GLI("lirs/gli.trace.gz", Format.LINES),
    PS("lirs/ps.trace.gz", Format.LINES),
    SPRITE("lirs/sprite.trace.gz", Format.LINES),
    TWO_POOLS("lirs/2_pools.trace.gz", Format.LINES),
    LOOP("lirs/loop.trace.gz", Format.LINES),
    WEB07("cache2k/web07.trace.xz", Format.INTS),
    WEB12("cache2k/web12.trace.xz", Format.INTS),
    ORM_BUSY("cache2k/orm-busy.trace.xz", Format.INTS),
    ORM_NIGHT("cache2k/orm-night.trace.xz", Format.INTS),
    W106("cloud_physics/w106.trace.xz", Format.INTS),
    CORDA("corda/trace_vaultservice_large.gz", Format.LONGS),
    GRADLE("gradle/build-cache.xz", Format.LINES),
    SCARAB_RECS("scarab/recs.trace.20160808T073231Z.xz", Format.LONGS),
    SCARAB_PRODS("scarab/prods.trace.20160808T073231Z.xz", Format.LONGS);

    final String file;
    final Format format;

    RealTrace(final String file, final Format format)
    {
        this.file = file;
        this.format = format;
    }

    static RealTrace of(final String name)
    {
        for (final RealTrace trace : values())
        {
            if (trace.toString().equals(name))
            {
                return trace;
            }
        }
        throw new IllegalArgumentException("no such trace: name=" + name);
    }

    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** How keys are written, one after the other. */
    enum Format
    {
        INTS,
        LONGS,
        LINES
    }
}
