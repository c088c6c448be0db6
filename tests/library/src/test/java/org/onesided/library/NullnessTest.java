package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The public API says by JSpecify's annotations where null may come from or go to, and its Javadoc says the same.
 */
class NullnessTest
{
    static List<PublicApi> packages()
    {
        return PublicApi.ALL;
    }

    @ParameterizedTest
    @MethodSource("packages")
    void shouldMarkThePackage(final PublicApi api)
    {
        assertTrue(
            PublicApi.load(api.name() + ".package-info").isAnnotationPresent(NullMarked.class), "no @NullMarked");
    }

    @ParameterizedTest
    @MethodSource("packages")
    void shouldAnnotateWhatTheDocumentationCallsNull(final PublicApi api) throws IOException
    {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final List<String> problems = new ArrayList<>();
        int documented = 0;
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8))
        {
            final JavacTask task = (JavacTask)compiler.getTask(
                null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(api.sources()));
            final DocTrees docs = DocTrees.instance(task);
            for (final CompilationUnitTree unit : task.parse())
            {
                final DocumentedNulls nulls = new DocumentedNulls(docs, problems);
                nulls.scan(unit, null);
                documented += nulls.documented();
            }
        }
        assertEquals(List.of(), problems);
        if (api.name().equals("org.onesided.client"))
        {
            assertTrue(documented > 50, "comments that were looked at: " + documented);
        }
    }

    /** What a type of the API promises, no other that is public may break. */
    @ParameterizedTest
    @MethodSource("packages")
    void shouldNotBeLooserThanWhatItImplements(final PublicApi api)
    {
        final List<String> problems = new ArrayList<>();
        for (final Class<?> type : api.types())
        {
            for (final Method method : type.getDeclaredMethods())
            {
                if (Modifier.isPublic(method.getModifiers()) && !method.isBridge())
                {
                    compare(method, problems);
                }
            }
        }
        assertEquals(List.of(), problems);
    }

    @Test
    void shouldNoticeEachKindOfMistake() throws IOException
    {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final List<String> problems = new ArrayList<>();
        final JavacTask task = (JavacTask)compiler.getTask(
            null, null, null, List.of("-proc:none"), null, List.of(new SourceText("Wrong", """
                public class Wrong
                {
                    /** @return it, or null. */
                    public String first() { return it; }
                    /** @param it or null. */
                    public void second(String it) { }
                    /** @return it. */
                    public @Nullable String third() { return it; }
                    /** @return it. */
                    public String fourth(boolean is) { return is ? null : it; }
                    /** @return it, never null. */
                    public List<String> right() { return it; }
                    /** @return each, null if it is absent. */
                    public List<@Nullable String> alsoRight() { return it; }
                    String ofNobody() { return null; }
                }
                """)));
        for (final CompilationUnitTree unit : task.parse())
        {
            new DocumentedNulls(DocTrees.instance(task), problems).scan(unit, null);
        }
        assertEquals(List.of(
            "Wrong.first: its result may be null by its comment, and is not @Nullable",
            "Wrong.second: it may be null by its comment, and is not @Nullable",
            "Wrong.third: its result is @Nullable, which its comment does not say",
            "Wrong.fourth: it returns null, and is not @Nullable"), problems);
    }

    private static void compare(final Method method, final List<String> problems)
    {
        final AnnotatedType[] parameters = method.getAnnotatedParameterTypes();
        for (final Class<?> above : above(method.getDeclaringClass()))
        {
            final Method promise = Arrays.stream(above.getDeclaredMethods())
                .filter(each -> each.getName().equals(method.getName()) &&
                    Arrays.equals(each.getParameterTypes(), method.getParameterTypes()) && !each.isBridge())
                .findFirst().orElse(null);
            if (promise == null || !above.getName().startsWith("org.onesided."))
            {
                continue;
            }
            if (isNullable(method.getAnnotatedReturnType()) && !isNullable(promise.getAnnotatedReturnType()))
            {
                problems.add(method + " may return null, unlike " + promise);
            }
            for (int i = 0; i < parameters.length; i++)
            {
                if (!text(parameters[i]).equals(text(promise.getAnnotatedParameterTypes()[i])))
                {
                    problems.add(method + " takes other nulls than " + promise);
                }
            }
        }
    }

    private static Set<Class<?>> above(final Class<?> type)
    {
        final Set<Class<?>> found = new HashSet<>(List.of(type.getInterfaces()));
        if (type.getSuperclass() != null)
        {
            found.add(type.getSuperclass());
        }
        for (final Class<?> each : Set.copyOf(found))
        {
            found.addAll(above(each));
        }
        return found;
    }

    private static boolean isNullable(final AnnotatedType type)
    {
        return type.isAnnotationPresent(Nullable.class);
    }

    /** Where a type has the annotation, itself and in its arguments. */
    private static String text(final AnnotatedType type)
    {
        final StringBuilder text = new StringBuilder(isNullable(type) ? "?" : "!");
        if (type instanceof final AnnotatedParameterizedType of)
        {
            Arrays.stream(of.getAnnotatedActualTypeArguments())
                .forEach(argument -> text.append('<').append(text(argument)).append('>'));
        }
        else if (type instanceof final AnnotatedArrayType array)
        {
            text.append('[').append(text(array.getAnnotatedGenericComponentType())).append(']');
        }
        return text.toString();
    }
}
