package org.onesided.library;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API as lines of text, one for each type and each member that programs may use. A program that was compiled
 * with some lines works with any version that still has them: a line has the descriptor that the JVM links by, and the
 * generic types that the compiler checks.
 *
 * <p>A member that a type inherits from a type that is not public itself counts as its own, and so does one that moved
 * to a type above: programs link to it by either.
 */
final class Signatures
{
    private static final String ROOT = "org.onesided.";
    private static final Pattern OURS = Pattern.compile("org\\.onesided\\.[\\w.$]+");

    private Signatures()
    {
    }

    /** The lines of all public packages, in their order, and those of types of other packages that these name. */
    static List<String> ofAll()
    {
        final List<Class<?>> types = PublicApi.ALL.stream().flatMap(api -> api.types().stream()).toList();
        final List<String> lines = new ArrayList<>();
        types.forEach(type -> lines.addAll(of(type)));
        final Set<String> named = new TreeSet<>();
        lines.forEach(line -> OURS.matcher(line).results().forEach(found -> named.add(found.group())));
        types.forEach(type -> named.remove(type.getName()));
        named.forEach(name -> lines.addAll(of(PublicApi.load(name))));
        return lines;
    }

    /** The line of a type, and those of its members. */
    static List<String> of(final Class<?> type)
    {
        final Set<String> members = new TreeSet<>();
        for (final Field field : type.getFields())
        {
            if (isOurs(field.getDeclaringClass()))
            {
                members.add(modifiers(field.getModifiers()) + name(field.getGenericType()) + ' ' + field.getName() +
                    constant(field));
            }
        }
        for (final Constructor<?> constructor : type.getDeclaredConstructors())
        {
            if (isUsable(constructor.getModifiers(), type) && !constructor.isSynthetic())
            {
                members.add("new" + parameters(constructor));
            }
        }
        methods(type).forEach(method -> members.add(
            modifiers(method.getModifiers()) + (method.isDefault() ? "default " : "") +
                name(method.getGenericReturnType()) + ' ' + method.getName() + parameters(method)));
        final List<String> lines = new ArrayList<>();
        lines.add(kind(type) + ' ' + type.getName() + variables(type.getTypeParameters()) + above(type));
        members.forEach(member -> lines.add(type.getName() + ": " + member));
        return lines;
    }

    private static Stream<Method> methods(final Class<?> type)
    {
        final Stream<Method> own = Arrays.stream(type.getDeclaredMethods())
            .filter(method -> isUsable(method.getModifiers(), type));
        return Stream.concat(Arrays.stream(type.getMethods()), own)
            .map(Signatures::repeated)
            .filter(method -> isOurs(method.getDeclaringClass()) && !method.isBridge() && !method.isSynthetic());
    }

    /**
     * The compiler repeats in a public type, as a bridge, what that inherits from a class that is not public: then the
     * method of that class, which has the generic types. Any other method is returned as it is.
     */
    private static Method repeated(final Method method)
    {
        final Class<?> above = method.getDeclaringClass().getSuperclass();
        return !method.isBridge() || above == null || Modifier.isPublic(above.getModifiers()) ? method :
            Arrays.stream(above.getMethods()).filter(each -> isSame(each, method)).findFirst().orElse(method);
    }

    private static boolean isSame(final Method one, final Method other)
    {
        return !Modifier.isAbstract(one.getModifiers()) && one.getName().equals(other.getName()) &&
            one.getReturnType() == other.getReturnType() &&
            Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
    }

    /** Protected members are for subclasses, which a final class has none of. */
    private static boolean isUsable(final int modifiers, final Class<?> type)
    {
        return Modifier.isPublic(modifiers) ||
            Modifier.isProtected(modifiers) && !Modifier.isFinal(type.getModifiers()) && !type.isSealed();
    }

    private static boolean isOurs(final Class<?> type)
    {
        return type.getName().startsWith(ROOT);
    }

    private static String kind(final Class<?> type)
    {
        return (type.isAnnotation() ? "annotation" : type.isInterface() ? "interface" : type.isEnum() ? "enum" :
            type.isRecord() ? "record" : Modifier.isAbstract(type.getModifiers()) ? "abstract class" :
            Modifier.isFinal(type.getModifiers()) ? "final class" : "class") + (type.isSealed() ? " (sealed)" : "");
    }

    /** What a type can be used as: its public types above. */
    private static String above(final Class<?> type)
    {
        final Set<String> types = new TreeSet<>();
        collectAbove(type, types);
        return types.isEmpty() ? "" : " is " + String.join(" ", types);
    }

    private static void collectAbove(final Class<?> type, final Set<String> types)
    {
        final List<Class<?>> next = new ArrayList<>(List.of(type.getInterfaces()));
        if (type.getSuperclass() != null)
        {
            next.add(type.getSuperclass());
        }
        for (final Class<?> each : next)
        {
            // The JDK's own may come and go with its version.
            if (Modifier.isPublic(each.getModifiers()) && !each.getName().startsWith("java.lang."))
            {
                types.add(each.getName());
            }
            if (isOurs(each))
            {
                collectAbove(each, types);
            }
        }
        if (RuntimeException.class.isAssignableFrom(type))
        {
            types.add(RuntimeException.class.getName());
        }
        if (AutoCloseable.class.isAssignableFrom(type))
        {
            types.add(AutoCloseable.class.getName());
        }
    }

    private static String modifiers(final int modifiers)
    {
        return (Modifier.isProtected(modifiers) ? "protected " : "") + (Modifier.isStatic(modifiers) ? "static " : "") +
            (Modifier.isAbstract(modifiers) ? "abstract " : "");
    }

    /** Programs are compiled with the value of a constant. */
    private static String constant(final Field field)
    {
        final Class<?> type = field.getType();
        if (!Modifier.isStatic(field.getModifiers()) || !type.isPrimitive() && type != String.class)
        {
            return "";
        }
        try
        {
            return " = " + field.get(null);
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException("not public: " + field, e);
        }
    }

    private static String parameters(final Executable executable)
    {
        return Arrays.stream(executable.getGenericParameterTypes()).map(Signatures::name)
            .collect(Collectors.joining(", ", "(", ")")) + variables(executable.getTypeParameters()) +
            Arrays.stream(executable.getExceptionTypes()).filter(each -> !RuntimeException.class.isAssignableFrom(each))
                .map(each -> " throws " + each.getName()).sorted().collect(Collectors.joining());
    }

    private static String variables(final TypeVariable<?>[] variables)
    {
        return variables.length == 0 ? "" : Arrays.stream(variables)
            .map(each -> each.getName() + bounds(" extends ", each.getBounds()))
            .collect(Collectors.joining(", ", "<", ">"));
    }

    private static String bounds(final String word, final Type[] bounds)
    {
        return bounds.length == 0 || bounds[0] == Object.class ? "" :
            word + Arrays.stream(bounds).map(Signatures::name).collect(Collectors.joining(" & "));
    }

    /** A type's name, the same on all versions of the JDK. */
    private static String name(final Type type)
    {
        if (type instanceof final Class<?> one)
        {
            return one.isArray() ? name(one.getComponentType()) + "[]" : one.getName();
        }
        if (type instanceof final GenericArrayType array)
        {
            return name(array.getGenericComponentType()) + "[]";
        }
        if (type instanceof final ParameterizedType of)
        {
            return name(of.getRawType()) + Arrays.stream(of.getActualTypeArguments()).map(Signatures::name)
                .collect(Collectors.joining(", ", "<", ">"));
        }
        if (type instanceof final WildcardType any)
        {
            return "?" + bounds(" extends ", any.getUpperBounds()) + bounds(" super ", any.getLowerBounds());
        }
        return ((TypeVariable<?>)type).getName();
    }
}
